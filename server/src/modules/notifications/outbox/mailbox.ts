import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { isFromThisMachine } from '../../../platform/local-request.ts';
import { problem } from '../../../platform/problem.ts';
import { listAccounts } from '../../accounts/index.ts';
import { answerCall, answerSms, type InboundParts } from '../inbound/answer.ts';
import type { NotificationParts } from '../parts.ts';
import { escapeHtml } from '../texts/render.ts';
import { listOutbox, type OutboxMessage } from './store.ts';

const shown = 200;

/**
 * The mailbox of a development run: what would have gone out, newest first, and a way to text or call back as the
 * voter would. It is not there in production, and otherwise only for this machine.
 */
export function registerMailbox(
  app: FastifyInstance,
  { database, clock }: NotificationParts,
  inbound: InboundParts,
): void {
  // It shows other people's email addresses and phone numbers, and answers in a voter's name.
  const forThisMachine = {
    onRequest: async (request: FastifyRequest) => {
      if (!isFromThisMachine(request)) throw problem(404, 'There is nothing here.');
    },
  };
  app.get('/outbox', forThisMachine, async (request, reply) => {
    const accounts = await listAccounts(database.system);
    const { account: asked } = request.query as { account?: string };
    const account = accounts.find(({ subdomain }) => subdomain === asked) ?? accounts[0];
    const messages = account
      ? await listOutbox(database.forAccount(account.accountId), account.accountId, shown)
      : [];
    const names = accounts.map(({ subdomain }) => subdomain);
    return reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
      )
      .send(page(names, account?.subdomain ?? '', messages));
  });

  app.post('/outbox/reply', forThisMachine, async (request, reply) => {
    const parsed = Reply.safeParse(request.body);
    if (!parsed.success) throw problem(422, 'A reply needs account, from and either text or call.');
    const { account: subdomain, from, text } = parsed.data;
    const account = (await listAccounts(database.system)).find(
      (one) => one.subdomain === subdomain,
    );
    if (!account) throw problem(404, 'There is no such account.');
    const contact = { provider: 'local', providerMessageId: randomUUID(), from };
    const { short_code, from_voice } = account.settings;
    await database.transaction<unknown>((tx) =>
      text === undefined || text === ''
        ? answerCall(tx, inbound, { ...contact, to: from_voice ?? '' }, clock.now())
        : answerSms(tx, inbound, { ...contact, to: short_code, text }, clock.now()),
    );
    return reply.redirect(`/outbox?account=${subdomain}`, 303);
  });
}

const Reply = z.object({
  account: z.string(),
  from: z.string().check(z.regex(/^\+1\d{10}$/)),
  text: z.optional(z.string().check(z.maxLength(500))),
});

function page(
  accounts: readonly string[],
  current: string,
  messages: readonly OutboxMessage[],
): string {
  const links = accounts.map(
    (name) =>
      `<a href="/outbox?account=${name}"${name === current ? ' aria-current="page"' : ''}>${name}</a>`,
  );
  return `<!doctype html><html lang="en-US"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Outbox of ${current}</title>
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}article{border:1px solid #8886;border-radius:6px;padding:.75rem 1rem;margin:1rem 0}pre{white-space:pre-wrap;font:inherit;margin:.5rem 0 0}small{color:#777}nav a{margin-inline-end:1rem}[aria-current]{font-weight:bold}input{font:inherit;margin-inline-end:.5rem}</style></head>
<body><h1>Outbox</h1><p>Development only: the local provider sends nothing and keeps every message here.</p><nav>${links.join('')}</nav>
<form method="post" action="/outbox/reply"><input type="hidden" name="account" value="${current}"><label>Reply as <input name="from" placeholder="+12025550100" required pattern="\\+1[0-9]{10}"></label><label>text <input name="text" placeholder="YES"></label><button>Send</button> <small>Without a text it is a call to the office’s number.</small></form>
${messages.map(entry).join('') || '<p>No messages yet.</p>'}</body></html>`;
}

function entry(message: OutboxMessage): string {
  const { channel, address, state, subject, body, error_code: code } = message;
  const when = (message.sent_at ?? message.deliver_after).toISOString();
  return `<article><b>${channel}</b> to ${escapeHtml(address)} · ${state}${code ? ` (${escapeHtml(code)})` : ''} <small>${when} · ${message.kind}${message.status ? ` ${message.status}` : ''}</small>${subject ? `<div><b>${escapeHtml(subject)}</b></div>` : ''}${body ? `<pre>${escapeHtml(body)}</pre>` : ''}</article>`;
}
