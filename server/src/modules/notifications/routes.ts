import { languages } from '@ballot-beacon/contract/languages';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { problem } from '../../platform/problem.ts';
import { isSameToken } from './channels/same-token.ts';
import { isSignedByTwilio, say } from './channels/twilio.ts';
import {
  answerCall,
  answerKeypress,
  answerSms,
  type InboundParts,
  type SpokenAnswer,
} from './inbound/answer.ts';
import { receiveReceipts } from './inbound/receipts.ts';
import type { Receipt } from './inbound/store.ts';
import { createOfficeCache, rulesOf } from './office/store.ts';
import { registerMailbox } from './outbox/mailbox.ts';
import type { NotificationParts } from './parts.ts';

/**
 * What providers call: inbound texts and calls, delivery reports, bounces and complaints. They name the account by
 * the number or message, so these routes see all accounts; each proves first that it comes from the provider.
 */
export async function registerNotificationRoutes(
  app: FastifyInstance,
  parts: NotificationParts,
): Promise<void> {
  const { database, config, clock, settings } = parts;
  const inbound: InboundParts = {
    office: createOfficeCache(database.system, config),
    rulesOf,
  };
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 64 * 1024 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    const machine = { config: { crossSite: true } };

    const readTwilio = (request: FastifyRequest): Record<string, string> => {
      const fields = z.record(z.string(), z.string()).safeParse(request.body ?? {});
      const origin = config.publicUrl?.origin ?? `http://${request.host}`;
      const signature = request.headers['x-twilio-signature'];
      const isGenuine =
        settings.TWILIO_AUTH_TOKEN !== undefined &&
        fields.success &&
        typeof signature === 'string' &&
        isSignedByTwilio(
          settings.TWILIO_AUTH_TOKEN,
          signature,
          `${origin}${request.raw.url}`,
          fields.data,
        );
      if (!isGenuine) throw problem(403, 'The signature does not fit.');
      return fields.data;
    };
    const spoken = (reply: FastifyReply, answer: SpokenAnswer | null) => {
      if (!answer) return twiml(reply, '<Hangup/>');
      const wish =
        answer.language in languages ? (answer.language as keyof typeof languages) : 'english';
      const { t, language } = answer.office.translate(wish);
      const { office, phone } = answer.office.words;
      return twiml(
        reply,
        `${say(t(answer.key, { office, phone }), languages[language].tag)}<Hangup/>`,
      );
    };

    scope.post('/api/provider/twilio/sms', machine, async (request, reply) => {
      const fields = readTwilio(request);
      await database.transaction((tx) =>
        answerSms(
          tx,
          inbound,
          {
            provider: 'twilio',
            providerMessageId: fields.MessageSid ?? '',
            from: fields.From ?? '',
            to: fields.To ?? '',
            text: fields.Body ?? '',
          },
          clock.now(),
        ),
      );
      return twiml(reply, '');
    });

    scope.post('/api/provider/twilio/voice', machine, async (request, reply) => {
      const fields = readTwilio(request);
      const call = {
        provider: 'twilio',
        providerMessageId: fields.CallSid ?? '',
        from: fields.From ?? '',
        to: fields.To ?? '',
      };
      return spoken(
        reply,
        await database.transaction((tx) => answerCall(tx, inbound, call, clock.now())),
      );
    });

    scope.post('/api/provider/twilio/keypress', machine, async (request, reply) => {
      const fields = readTwilio(request);
      const pressed = { messageId: readMessageId(request), digit: fields.Digits ?? '' };
      return spoken(
        reply,
        await database.transaction((tx) => answerKeypress(tx, inbound, pressed, clock.now())),
      );
    });

    scope.post('/api/provider/twilio/status', machine, async (request, reply) => {
      const fields = readTwilio(request);
      const outcome = twilioOutcome(fields);
      if (outcome) {
        const code = fields.ErrorCode ?? null;
        const receipt = { messageId: readMessageId(request), provider: 'twilio', outcome, code };
        await receiveReceipts(database.system, [receipt], clock.now());
      }
      return reply.code(204).send();
    });

    const requireToken = (request: FastifyRequest, token: string | undefined): void => {
      const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
      if (token === undefined || given === undefined || !isSameToken(token, given))
        throw problem(403, 'The token does not fit.');
    };

    scope.post('/api/provider/sms/status', machine, async (request, reply) => {
      requireToken(request, settings.SMS_HTTP_TOKEN);
      const { status, code } = readBody(SmsStatus, request);
      const receipt = {
        messageId: readMessageId(request),
        provider: 'http-sms',
        outcome: status,
        code,
      };
      await receiveReceipts(database.system, [receipt], clock.now());
      return reply.code(204).send();
    });

    scope.post('/api/provider/sms/inbound', machine, async (request, reply) => {
      requireToken(request, settings.SMS_HTTP_TOKEN);
      const { id, from, to, body } = readBody(SmsInbound, request);
      const sms = { provider: 'http-sms', providerMessageId: id, from, to, text: body };
      await database.transaction((tx) => answerSms(tx, inbound, sms, clock.now()));
      return reply.code(204).send();
    });

    scope.post('/api/provider/mail/events', machine, async (request, reply) => {
      requireToken(request, settings.MAIL_EVENTS_TOKEN);
      const receipts = readBody(MailEvents, request).map(
        ({ event, message, code }): Receipt => ({
          messageId: Number(/beacon-(\d+)/.exec(message)?.[1] ?? 0),
          provider: 'smtp',
          outcome: mailOutcomes[event],
          code: code ?? null,
        }),
      );
      await receiveReceipts(database.system, receipts, clock.now());
      return reply.code(204).send();
    });

    // A stranger's mail and phone numbers stand on it.
    if (!config.production) registerMailbox(scope, parts, inbound);
  });
}

const SmsStatus = z.object({
  status: z.enum(['delivered', 'failed-permanent', 'failed-temporary']),
  code: z._default(z.nullable(z.string().check(z.maxLength(40))), null),
});
const SmsInbound = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(100)),
  from: z.string().check(z.regex(/^\+\d{8,15}$/)),
  to: z.string().check(z.maxLength(20)),
  body: z.string().check(z.maxLength(2000)),
});
const mailOutcomes = {
  delivered: 'delivered',
  bounce: 'failed-permanent',
  'soft-bounce': 'failed-temporary',
  complaint: 'complained',
} as const;
const MailEvents = z
  .array(
    z.object({
      event: z.enum(['delivered', 'bounce', 'soft-bounce', 'complaint']),
      /** The Message-ID or X-Beacon-Message of our mail. */
      message: z.string().check(z.regex(/beacon-\d{1,15}/), z.maxLength(300)),
      code: z.optional(z.string().check(z.maxLength(40))),
    }),
  )
  .check(z.maxLength(500));

function readBody<Schema extends z.ZodMiniType>(
  schema: Schema,
  request: FastifyRequest,
): z.infer<Schema> {
  const parsed = schema.safeParse(request.body);
  if (!parsed.success) throw problem(422, 'The body is not of the documented shape.');
  return parsed.data;
}

function readMessageId(request: FastifyRequest): number {
  const { message } = request.query as { message?: string };
  if (!/^\d{1,15}$/.test(message ?? '')) throw problem(422, 'The address names no message.');
  return Number(message);
}

/** Twilio's words for what became of a text or a call (twilio.com/docs/messaging/api/message-resource, …/voice). */
function twilioOutcome(fields: Readonly<Record<string, string>>): Receipt['outcome'] | null {
  switch (fields.MessageStatus ?? fields.CallStatus) {
    case 'delivered':
    case 'read':
    case 'completed':
      return 'delivered';
    case 'undelivered':
      // Unreachable, unknown or filtered for now; the rest (landline, blocked) will not change.
      return ['30003', '30008', '30017', '30022'].includes(fields.ErrorCode ?? '')
        ? 'failed-temporary'
        : 'failed-permanent';
    case 'failed':
      return 'failed-permanent';
    case 'busy':
    case 'no-answer':
    case 'canceled':
      return 'failed-temporary';
    default:
      return null;
  }
}

function twiml(reply: FastifyReply, content: string): FastifyReply {
  return reply
    .type('text/xml; charset=utf-8')
    .send(`<?xml version="1.0" encoding="UTF-8"?><Response>${content}</Response>`);
}
