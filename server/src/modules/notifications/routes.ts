import { isLanguage, languages } from '@ballot-beacon/contract/languages';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { problem } from '../../platform/problem.ts';
import type { Receipt } from './channels/provider.ts';
import { isSameToken } from './channels/same-token.ts';
import { registerTwilioRoutes } from './channels/twilio/index.ts';
import {
  boundedText,
  type InboundHandlers,
  readBody,
  readMessageId,
  type Spoken,
} from './channels/webhooks.ts';
import {
  answerCall,
  answerKeypress,
  answerSms,
  type InboundParts,
  type SpokenAnswer,
} from './inbound/answer.ts';
import { receiveReceipts } from './inbound/receipts.ts';
import { readOffice, rulesOf } from './office/store.ts';
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
    office: (tx, accountId) => readOffice(tx, config, accountId),
    rulesOf,
  };
  const { system } = database;
  const handlers: InboundHandlers = {
    text: (sms) =>
      database.transaction(async (tx) => {
        await answerSms(tx, inbound, sms, clock.now());
      }),
    call: async (call) =>
      spoken(await database.transaction((tx) => answerCall(tx, inbound, call, clock.now()))),
    keypress: async (pressed) =>
      spoken(await database.transaction((tx) => answerKeypress(tx, inbound, pressed, clock.now()))),
    receipts: (receipts) => receiveReceipts(system, receipts, clock.now()),
  };
  await registerTwilioRoutes(app, settings, config.publicUrl?.origin, handlers);
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 64 * 1024 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    const machine = { config: { crossSite: true } };
    const requireToken = (request: FastifyRequest, token: string | undefined): void => {
      const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
      if (token === undefined || given === undefined || !isSameToken(token, given))
        throw problem(403, 'The token does not match.');
    };

    scope.post('/api/provider/sms/status', machine, async (request, reply) => {
      requireToken(request, settings.SMS_HTTP_TOKEN);
      const { status, code } = readBody(SmsStatus, request.body);
      const receipt = {
        messageId: readMessageId(request),
        provider: 'http-sms',
        outcome: status,
        address: null,
        code,
      };
      await handlers.receipts([receipt]);
      return reply.code(204).send();
    });

    scope.post('/api/provider/sms/inbound', machine, async (request, reply) => {
      requireToken(request, settings.SMS_HTTP_TOKEN);
      const { id, from, to, body } = readBody(SmsInbound, request.body);
      const sms = { provider: 'http-sms', providerMessageId: id, from, to, text: body };
      await handlers.text(sms);
      return reply.code(204).send();
    });

    scope.post('/api/provider/mail/events', machine, async (request) => {
      requireToken(request, settings.MAIL_EVENTS_TOKEN);
      const events = readBody(MailEvents, request.body);
      const receipts = events.map((event) => readMailEvent(event));
      const readable = receipts.filter((receipt) => receipt !== null);
      await handlers.receipts(readable);
      return { received: events.length, refused: events.length - readable.length };
    });

    // It shows other people's email addresses and phone numbers.
    if (!config.production) registerMailbox(scope, parts, inbound);
  });
}

const code = boundedText(0, 40);
const SmsStatus = z.object({
  status: z.enum(['delivered', 'failed-permanent', 'failed-temporary']),
  code: z._default(z.nullable(code), null),
});
const SmsInbound = z.object({
  id: boundedText(1, 100),
  from: z.string().check(z.regex(/^\+\d{8,15}$/)),
  to: boundedText(0, 20),
  body: boundedText(0, 2000),
});
const mailOutcomes = {
  delivered: 'delivered',
  bounce: 'failed-permanent',
  'soft-bounce': 'failed-temporary',
  complaint: 'complained',
} as const;
const MailEvents = z.array(z.unknown()).check(z.maxLength(500));
const MailEvent = z.object({
  event: z.enum(['delivered', 'bounce', 'soft-bounce', 'complaint']),
  /** The Message-ID or X-Beacon-Message of our mail. */
  message: boundedText(1, 300),
  code: z.optional(code),
});

/** One event of a batch, read alone: an unreadable event does not affect the others. */
function readMailEvent(event: unknown): Receipt | null {
  const parsed = MailEvent.safeParse(event);
  const messageId = parsed.success && /beacon-(\d{1,15})(?!\d)/.exec(parsed.data.message)?.[1];
  if (!messageId) return null;
  const { event: kind, code: given = null } = parsed.data;
  return {
    messageId: Number(messageId),
    provider: 'smtp',
    outcome: mailOutcomes[kind],
    address: null,
    code: given,
  };
}

/** What a caller hears, in words. */
function spoken(answer: SpokenAnswer | null): Spoken | null {
  if (!answer) return null;
  const { office, key } = answer;
  const wanted = isLanguage(answer.language) ? answer.language : 'english';
  const { t, language } = office.translate(wanted);
  const { office: name, phone } = office.words;
  return { text: t(key, { office: name, phone }), languageTag: languages[language].tag };
}
