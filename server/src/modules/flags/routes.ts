import { isFlagKey } from '@ballot-beacon/contract/flags';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { AnyVisit, CallBinder } from '../../platform/call-binder.ts';
import { markNotModified } from '../../platform/not-modified.ts';
import { contextOfVoter, type FlagContext, type FlagEvaluator } from './rules.ts';

/** What the flags of a visit depend on. */
interface FlagVisit extends AnyVisit {
  readonly site: { readonly flags: FlagEvaluator } & (
    | {
        readonly kind: 'account';
        readonly account: { readonly settings: { readonly launchdarkly_client_id: string | null } };
      }
    | { readonly kind: 'unbranded' | 'unserved' }
  );
}

/** State and county of a signed-in voter, as the roll has them. */
type ReadPlace<Visit extends FlagVisit> = (
  session: NonNullable<Visit['session']>,
) => Promise<{ readonly state: string; readonly county: string }>;

/** What a browser says about itself. It decides how the page looks, never what the visitor may see. */
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
export function registerFlagRoutes<Visit extends FlagVisit>(
  api: CallBinder<Visit>,
  readPlace: ReadPlace<Visit>,
): void {
  api.answer('getFlagClient', async ({ site }) => ({
    client_id: site.kind === 'account' ? site.account.settings.launchdarkly_client_id : null,
  }));

  // For a signed-in voter the session decides, not what the browser says.
  const visitFor = async (request: FastifyRequest, asked: FlagContext) => {
    const { site, session } = await api.visit(request, { isActivity: false });
    return { site, context: session ? contextOfVoter(await readPlace(session)) : asked };
  };

  api.app.post('/ofrep/v1/evaluate/flags', async (request, reply) => {
    const asked = readContext(request.body);
    if (!asked) return refuse(reply, { errorCode: 'PARSE_ERROR' });
    const { site, context } = await visitFor(request, asked);
    const values = site.flags.evaluateAll(context);
    if (markNotModified(request, reply, ['flags', JSON.stringify(values)])) return reply.send();
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

/** Keeps a bounded number of short texts; undefined when the body is not an evaluation request. */
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
