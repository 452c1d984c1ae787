import { isFlagKey } from '@ballot-beacon/contract/flags';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { contextOfVoter, type FlagContext } from '../flags/index.ts';
import type { VoterApi } from '../sessions/index.ts';
import { sendNotModified } from './cached-answer.ts';

/** What a browser says of itself. It chooses how the page looks, never what it may see. */
const EvaluationRequest = z.object({
  context: z.optional(
    z.catchall(
      z.object({ targetingKey: z.optional(z.string().check(z.maxLength(200))) }),
      z.unknown(),
    ),
  ),
});

/**
 * Feature flags over the OpenFeature Remote Evaluation Protocol, from the app's own host:
 * https://github.com/open-feature/protocol
 */
export function registerFlagRoutes(api: VoterApi): void {
  api.answer('getFlagClient', async ({ site }) => ({
    client_id: site.kind === 'account' ? site.account.settings.launchdarkly_client_id : null,
  }));

  // Of a signed-in voter the session is believed, not the browser.
  const visitFor = async (request: FastifyRequest, asked: FlagContext) => {
    const { site, session } = await api.visit(request, { isActivity: false });
    return { site, context: session ? contextOfVoter(session.site.branding) : asked };
  };

  api.app.post('/ofrep/v1/evaluate/flags', async (request, reply) => {
    const asked = readContext(request.body);
    if (!asked) return refuse(reply, { errorCode: 'PARSE_ERROR' });
    const { site, context } = await visitFor(request, asked);
    const values = site.flags.evaluateAll(context);
    sendNotModified(request, reply, ['flags', JSON.stringify(values)]);
    if (reply.sent) return reply;
    const flags = Object.keys(values)
      .filter(isFlagKey)
      .map((key) => site.flags.evaluate(key, context));
    return reply.send({ flags });
  });

  api.app.post<{ Params: { key: string } }>(
    '/ofrep/v1/evaluate/flags/:key',
    async (request, reply) => {
      const { key } = request.params;
      const asked = readContext(request.body);
      if (!asked) return refuse(reply, { key, errorCode: 'PARSE_ERROR' });
      if (!isFlagKey(key)) {
        return reply.code(404).send({ key, errorCode: 'FLAG_NOT_FOUND' });
      }
      const { site, context } = await visitFor(request, asked);
      return reply.send(site.flags.evaluate(key, context));
    },
  );
}

function refuse(reply: FastifyReply, answer: { key?: string; errorCode: string }): FastifyReply {
  return reply.code(400).send(answer);
}

/** Texts of a bounded number and length; undefined for what is no evaluation request. */
function readContext(body: unknown): FlagContext | undefined {
  const parsed = EvaluationRequest.safeParse(body ?? {});
  if (!parsed.success) return undefined;
  const { targetingKey = 'anonymous', ...attributes } = parsed.data.context ?? {};
  const texts = Object.entries(attributes)
    .slice(0, 20)
    .filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].length <= 200,
    );
  return { ...Object.fromEntries(texts), targetingKey };
}
