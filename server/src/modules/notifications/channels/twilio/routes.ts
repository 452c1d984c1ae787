import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { problem } from '../../../../platform/problem.ts';
import {
  boundedText,
  type InboundHandlers,
  readBody,
  readMessageId,
  type Spoken,
} from '../webhooks.ts';
import { readStatus } from './outcomes.ts';
import { respond, say } from './script.ts';
import { isSignedByTwilio } from './signature.ts';

interface Form {
  readonly body: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/**
 * What Twilio calls: texts and calls that come in, pressed keys, what became of our messages. Without a token every
 * call is refused.
 *
 * @param origin the public origin under which Twilio knows us; undefined: that of the request
 */
export async function registerTwilioRoutes(
  app: FastifyInstance,
  settings: { readonly TWILIO_AUTH_TOKEN?: string | undefined },
  origin: string | undefined,
  handlers: InboundHandlers,
): Promise<void> {
  const { TWILIO_AUTH_TOKEN: authToken } = settings;
  const machine = { config: { crossSite: true } };
  const readFields = (request: FastifyRequest): Readonly<Record<string, string>> => {
    const form = request.body as Form | undefined;
    const signature = request.headers['x-twilio-signature'];
    const isGenuine =
      authToken !== undefined &&
      typeof signature === 'string' &&
      isSignedByTwilio(authToken, signature, {
        url: `${origin ?? `http://${request.host}`}${request.raw.url}`,
        fields: form?.fields ?? [],
        body: form?.body ?? '',
      });
    if (!isGenuine) throw problem(403, 'The signature does not match.');
    return Object.fromEntries(form?.fields ?? []);
  };

  await app.register(async (scope) => {
    // JSON would come in shapes that no form has.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 64 * 1024 },
      (_request, body, done) =>
        done(null, { body: String(body), fields: [...new URLSearchParams(String(body))] }),
    );

    scope.post('/api/provider/twilio/sms', machine, async (request, reply) => {
      const { MessageSid, From, To, Body } = readBody(InboundText, readFields(request));
      await handlers.text({
        provider: 'twilio',
        providerMessageId: MessageSid,
        from: From,
        to: To,
        text: Body,
      });
      return twiml(reply, '');
    });

    scope.post('/api/provider/twilio/voice', machine, async (request, reply) => {
      const { CallSid, From, To } = readBody(InboundCall, readFields(request));
      const call = { provider: 'twilio', providerMessageId: CallSid, from: From, to: To };
      return speak(reply, await handlers.call(call));
    });

    scope.post('/api/provider/twilio/keypress', machine, async (request, reply) => {
      const { Digits } = readBody(Keypress, readFields(request));
      return speak(
        reply,
        await handlers.keypress({ messageId: readMessageId(request), digit: Digits }),
      );
    });

    scope.post('/api/provider/twilio/status', machine, async (request, reply) => {
      const { MessageStatus, CallStatus, ErrorCode, MessageSid, CallSid } = readBody(
        Status,
        readFields(request),
      );
      const report = readStatus(MessageStatus ?? CallStatus ?? '', ErrorCode ?? '');
      if (report) {
        const ids = {
          messageId: readMessageId(request),
          providerMessageId: MessageSid ?? CallSid,
        };
        await handlers.receipts([
          { ...ids, provider: 'twilio', ...report, code: ErrorCode ?? null },
        ]);
      }
      return reply.code(204).send();
    });
  });
}

const sid = boundedText(1, 100);
/** E.164, a short code, or what stands for a caller who is not shown. */
const party = boundedText(0, 100);
const InboundText = z.object({
  MessageSid: sid,
  From: party,
  To: party,
  Body: z._default(boundedText(0, 4000), ''),
});
const InboundCall = z.object({ CallSid: sid, From: z._default(party, ''), To: party });
const Keypress = z.object({ Digits: z._default(boundedText(0, 20), '') });
const Status = z.object({
  MessageStatus: z.optional(boundedText(0, 40)),
  CallStatus: z.optional(boundedText(0, 40)),
  ErrorCode: z.optional(boundedText(0, 40)),
  MessageSid: z.optional(sid),
  CallSid: z.optional(sid),
});

function speak(reply: FastifyReply, spoken: Spoken | null): FastifyReply {
  return twiml(reply, `${spoken ? say(spoken.text, spoken.languageTag) : ''}<Hangup/>`);
}

function twiml(reply: FastifyReply, content: string): FastifyReply {
  return reply.type('text/xml; charset=utf-8').send(respond(content));
}
