import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, test } from 'vitest';
import type { AccountId } from '../../../platform/ids.ts';
import { messageTranslate } from '../texts/load.ts';
import { renderMessage } from '../texts/render.ts';
import { createHttpSmsProvider } from './http-sms.ts';
import type { OutboundMessage, Provider } from './provider.ts';
import { createSmtpProvider } from './smtp.ts';
import { callScript } from './twilio/script.ts';
import { createTwilioSmsProvider, createTwilioVoiceProvider } from './twilio/send.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const words = {
  office: 'Adams County Elections',
  phone: '(555) 555-0100',
  email: 'elections@adams.example',
  url: 'https://adams.beacon.example/voter',
  timeZone: 'America/New_York',
};

function createMessage(
  channel: OutboundMessage['channel'],
  more: Partial<OutboundMessage> = {},
): OutboundMessage {
  const { t } = messageTranslate('spanish');
  const facts = {
    about: 'status' as const,
    status: 'sent',
    name: 'José',
    election: 'General Election',
    electionDate: '2026-11-03',
    date: null,
    actionUrl: null,
    unsubscribeUrl: 'https://adams.beacon.example/voter/unsubscribe?key=k&email=e',
    code: '7K3M9QX2',
  };
  const rendered = renderMessage(channel, facts, words, t, 'spanish');
  return {
    accountId: 1 as AccountId,
    messageId: 7,
    reference: 'beacon-7',
    channel,
    from: channel === 'email' ? 'adams@mail.beacon.example' : '41575',
    fromName: 'Adams County Elections',
    replyTo: channel === 'email' ? words.email : null,
    to: channel === 'email' ? 'voter@mail.example' : '+13525550001',
    ...rendered,
    languageTag: 'es-US',
    unsubscribe:
      channel === 'email'
        ? {
            page: 'https://adams.beacon.example/voter/unsubscribe?key=k&email=e',
            oneClick: 'https://adams.beacon.example/api/voter/unsubscribe?key=k&email=e',
          }
        : null,
    ...more,
  };
}

async function sendOne(provider: Provider, message: OutboundMessage) {
  return (await provider.send([message]))[0];
}

describe('mail by SMTP', () => {
  /** A real SMTP server; `refuse` answers a recipient with an SMTP refusal. */
  async function createMailServer(
    refuse?: (to: string) => Error | undefined,
    onData?: () => Error | undefined,
  ) {
    const mails: Email[] = [];
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      logger: false,
      onRcptTo: ({ address }, _session, done) => done(refuse?.(address)),
      onData(stream, _session, done) {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('end', async () => {
          const error = onData?.();
          if (!error) mails.push(await PostalMime.parse(Buffer.concat(parts)));
          done(error);
        });
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise<void>((resolve) => server.close(resolve)));
    const { port } = server.server.address() as AddressInfo;
    return { mails, url: `smtp://127.0.0.1:${port}` };
  }
  function refusal(responseCode: number, text: string): Error {
    return Object.assign(new Error(text), { responseCode });
  }
  function createProvider(
    url: string,
    dkim: Parameters<typeof createSmtpProvider>[0]['dkim'] = null,
  ): Provider {
    const provider = createSmtpProvider({ url, dkim });
    closers.push(async () => provider.close?.());
    return provider;
  }

  test('arrives from the county, in both forms, signed, with a way out that machines understand', async () => {
    const { mails, url } = await createMailServer();
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const provider = createProvider(url, {
      domainName: 'mail.beacon.example',
      keySelector: 's1',
      privateKey: pem,
    });
    expect(await sendOne(provider, createMessage('email'))).toMatchObject({ kind: 'accepted' });

    const [mail] = mails;
    expect(mail?.from).toMatchObject({
      name: 'Adams County Elections',
      address: 'adams@mail.beacon.example',
    });
    expect(mail?.to).toMatchObject([{ address: 'voter@mail.example' }]);
    expect(mail?.replyTo).toMatchObject([{ address: 'elections@adams.example' }]);
    expect(mail?.subject).toBe('Su boleta va en camino');
    expect(mail?.messageId).toBe('<beacon-7@mail.beacon.example>');
    expect(mail?.text).toContain('Hola, José:');
    expect(mail?.html).toContain('<html lang="es-US"');
    const header = (name: string) => mail?.headers.find(({ key }) => key === name)?.value;
    expect(header('list-unsubscribe')).toBe(
      '<https://adams.beacon.example/api/voter/unsubscribe?key=k&email=e>',
    );
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(header('auto-submitted')).toBe('auto-generated');
    expect(header('content-type')).toContain('multipart/alternative');
    const signature = header('dkim-signature') ?? '';
    expect(signature).toMatch(/d=mail\.beacon\.example/);
    expect(signature).toMatch(/s=s1/);
    // RFC 8058 §4: the one-click headers must be under the signature.
    for (const signed of ['from', 'subject', 'list-unsubscribe', 'list-unsubscribe-post'])
      expect(signature.toLowerCase().replaceAll(/\s/g, '')).toMatch(
        new RegExp(`h=[^;]*\\b${signed}(:|;)`),
      );
  });

  test.each([
    [550, '5.1.1 no such user', { kind: 'permanent', code: '5.1.1', address: 'invalid' }],
    [552, '5.2.2 mailbox full', { kind: 'permanent', code: '5.2.2', address: null }],
    [550, '5.1.8 sender domain not found', { kind: 'retryable', code: '5.1.8' }],
    [550, '5.7.1 refused by policy', { kind: 'permanent', code: '5.7.1', address: null }],
    [452, '4.2.2 mailbox full', { kind: 'retryable', code: '4.2.2' }],
    [451, '4.7.1 greylisted, try later', { kind: 'throttled', code: '4.7.1' }],
    [421, '4.7.0 too many messages', { kind: 'throttled', code: '4.7.0' }],
    [421, 'closing this connection', { kind: 'throttled', code: '421' }],
    [450, 'not now', { kind: 'retryable', code: '450' }],
    [550, 'no such user', { kind: 'permanent', code: '550', address: 'invalid' }],
    [550, 'too many messages', { kind: 'retryable', code: '550' }],
    [551, 'user not here', { kind: 'permanent', code: '551', address: 'invalid' }],
    [552, 'mailbox full', { kind: 'permanent', code: '552', address: null }],
    [554, 'transaction failed', { kind: 'permanent', code: '554', address: null }],
    [550, 'blocked using zen.example', { kind: 'permanent', code: '550', address: null }],
    [550, 'refused by local policy', { kind: 'permanent', code: '550', address: null }],
    [550, 'SPF check failed', { kind: 'permanent', code: '550', address: null }],
    [550, 'relaying denied', { kind: 'permanent', code: '550', address: null }],
    [550, 'sender verify failed', { kind: 'permanent', code: '550', address: null }],
    [535, '5.7.8 our password is wrong', { kind: 'retryable', code: '5.7.8' }],
  ])('refused with %i %s is %j', async (code, text, expected) => {
    const { url } = await createMailServer(() => refusal(code, text));
    expect(await sendOne(createProvider(url), createMessage('email'))).toMatchObject(expected);
  });

  test('refused after its body says nothing of the address', async () => {
    const { url } = await createMailServer(undefined, () => refusal(554, '5.6.0 looks like spam'));
    expect(await sendOne(createProvider(url), createMessage('email'))).toMatchObject({
      kind: 'permanent',
      address: null,
    });
  });

  test('to a server that does not run is known not to be sent', async () => {
    expect(
      await sendOne(createProvider('smtp://127.0.0.1:9'), createMessage('email')),
    ).toMatchObject({ kind: 'retryable' });
  });
});

/** An HTTP server that answers what the test wants, and keeps what it was sent. */
async function createHttpServerStub(
  answer: (
    request: IncomingMessage,
    body: string,
  ) => { status: number; json?: unknown; headers?: Record<string, string> } | 'cut',
) {
  const requests: {
    method: string;
    url: string;
    headers: IncomingMessage['headers'];
    body: string;
  }[] = [];
  const server: Server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      requests.push({
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body,
      });
      const given = answer(request, body);
      if (given === 'cut') return response.destroy();
      response.writeHead(given.status, { 'content-type': 'application/json', ...given.headers });
      return response.end(JSON.stringify(given.json ?? {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const settingsFor = (baseUrl: string) => ({
  accountSid: 'AC1',
  authToken: 'secret',
  baseUrl,
  callbackUrl: 'https://beacon.example/api/provider/twilio',
  messagingServiceSid: null,
});

describe('texts and calls by Twilio', () => {
  test('a text carries number, words and where to report to', async () => {
    const { requests, url } = await createHttpServerStub(() => ({
      status: 201,
      json: { sid: 'SM1' },
    }));
    const outcome = await sendOne(createTwilioSmsProvider(settingsFor(url)), createMessage('sms'));
    expect(outcome).toEqual({ kind: 'accepted', providerMessageId: 'SM1' });
    expect(requests[0]?.url).toBe('/2010-04-01/Accounts/AC1/Messages.json');
    expect(requests[0]?.headers.authorization).toBe(
      `Basic ${Buffer.from('AC1:secret').toString('base64')}`,
    );
    const fields = Object.fromEntries(new URLSearchParams(requests[0]?.body));
    expect(fields).toMatchObject({
      To: '+13525550001',
      From: '41575',
      StatusCallback: 'https://beacon.example/api/provider/twilio/status?message=7',
    });
    expect(fields.Body).toContain('su boleta va en camino');
  });

  const ends = (kind: string, ...statuses: number[]) =>
    statuses.map((status): [number, object, object] => [status, {}, { kind }]);
  test.each([
    [429, { code: 20429 }, { kind: 'throttled', retryAfterMs: 3000 }],
    ...ends('retryable', 401, 403, 404, 405, 500, 503),
    ...ends('unknown', 502, 504),
    ...ends('permanent', 402, 406),
    [400, { code: 21211 }, { kind: 'permanent', address: 'invalid' }],
    [400, { code: 21610 }, { kind: 'permanent', address: 'stopped' }],
    [400, { code: 21617 }, { kind: 'permanent', address: null }],
  ])('an answer %i %j is %j', async (status, json, expected) => {
    const { url } = await createHttpServerStub(() => ({
      status,
      json,
      headers: { 'retry-after': '3' },
    }));
    expect(
      await sendOne(createTwilioSmsProvider(settingsFor(url)), createMessage('sms')),
    ).toMatchObject(expected);
  });

  test('a connection cut before the answer leaves open whether Twilio accepted the text, and Twilio is asked', async () => {
    const message = createMessage('sms');
    let isTaken = false;
    const { url } = await createHttpServerStub((request) => {
      if (request.method === 'POST') return 'cut';
      const at = new Date().toUTCString();
      const taken = { sid: 'SM9', body: message.body, date_created: at };
      const other = { sid: 'SM8', body: 'Another text to this number.', date_created: at };
      return { status: 200, json: { messages: isTaken ? [other, taken] : [other] } };
    });
    const provider = createTwilioSmsProvider(settingsFor(url));
    expect(await sendOne(provider, message)).toMatchObject({ kind: 'unknown' });
    expect(await provider.find?.(message, new Date(), new Set())).toBe('absent');
    isTaken = true;
    expect(await provider.find?.(message, new Date(), new Set())).toEqual({
      providerMessageId: 'SM9',
    });
    expect(await provider.find?.(message, new Date(Date.now() + 60_000), new Set())).toBe('absent');
  });

  test('a call says its words in the voter’s language and listens for 9 from the first word', async () => {
    const { requests, url } = await createHttpServerStub(() => ({
      status: 201,
      json: { sid: 'CA1' },
    }));
    await sendOne(
      createTwilioVoiceProvider(settingsFor(url)),
      createMessage('voice', { from: '+15555550100' }),
    );
    const script = new URLSearchParams(requests[0]?.body).get('Twiml') ?? '';
    expect(script).toMatch(
      /^<\?xml[^>]*><Response><Gather numDigits="1"[^>]*action="https:\/\/beacon\.example\/api\/provider\/twilio\/keypress\?message=7"[^>]*><Say language="es-US">Hola\. Le llama Adams County Elections[^<]*oprima 9/,
    );
    expect(script.length).toBeLessThan(4000);
  });

  test('markup characters in a name are spoken, not interpreted', () => {
    const script = callScript(
      { body: '<Dial>900</Dial> & "x"', languageTag: 'en-US', messageId: 1 },
      'https://x.example',
    );
    expect(script).not.toContain('<Dial>');
    expect(script).toContain('&lt;Dial&gt;900&lt;/Dial&gt; &amp;');
  });
});

describe('texts by the second provider', () => {
  const createProvider = (url: string) =>
    createHttpSmsProvider({
      url,
      token: 'token',
      callbackUrl: 'https://beacon.example/api/provider/sms/status',
    });

  test('carry a key by which a repeat is known', async () => {
    const { requests, url } = await createHttpServerStub(() => ({
      status: 202,
      json: { id: 'x1' },
    }));
    expect(await sendOne(createProvider(url), createMessage('sms'))).toEqual({
      kind: 'accepted',
      providerMessageId: 'x1',
    });
    expect(requests[0]?.headers).toMatchObject({
      'idempotency-key': 'beacon-7',
      authorization: 'Bearer token',
    });
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({
      to: '+13525550001',
      reference: 'beacon-7',
      callback: 'https://beacon.example/api/provider/sms/status?message=7',
    });
  });

  test.each([
    [{ status: 429 }, 'throttled'],
    [{ status: 500 }, 'retryable'],
    [{ status: 422, json: { error: 'invalid-number' } }, 'permanent'],
    ...[502, 504].map((status) => [{ status }, 'unknown'] as const),
    ...[401, 403, 404, 405].map((status) => [{ status }, 'retryable'] as const),
    ...[402, 406].map((status) => [{ status }, 'permanent'] as const),
    [{ status: 404, json: { error: 'invalid-number' } }, 'permanent'],
    ['cut', 'unknown'],
  ] as const)('answered with %j end as %s', async (given, kind) => {
    const { url } = await createHttpServerStub(() => given);
    expect((await sendOne(createProvider(url), createMessage('sms')))?.kind).toBe(kind);
  });
});

test.each([
  ['a text by Twilio', 'sms', (baseUrl: string) => createTwilioSmsProvider(settingsFor(baseUrl))],
  ['a call', 'voice', (baseUrl: string) => createTwilioVoiceProvider(settingsFor(baseUrl))],
  [
    'a text by the second provider',
    'sms',
    (url: string) =>
      createHttpSmsProvider({ url, token: 'token', callbackUrl: 'https://beacon.example/status' }),
  ],
] as const)(
  '%s that is redirected goes nowhere else, and is sent again',
  async (_what, channel, createProvider) => {
    const other = await createHttpServerStub(() => ({ status: 200, json: { id: 'x', sid: 'x' } }));
    for (const status of [301, 302, 307, 308]) {
      const headers = { location: other.url };
      const { url } = await createHttpServerStub(() => ({ status, headers }));
      expect(await sendOne(createProvider(url), createMessage(channel))).toMatchObject({
        kind: 'retryable',
        code: String(status),
      });
    }
    expect(other.requests).toEqual([]);
  },
);

test('Twilio is not asked elsewhere what became of a text', async () => {
  const other = await createHttpServerStub(() => ({ status: 200, json: { messages: [] } }));
  const headers = { location: other.url };
  const { url } = await createHttpServerStub(() => ({ status: 302, headers }));
  const provider = createTwilioSmsProvider(settingsFor(url));
  expect(await provider.find?.(createMessage('sms'), new Date(), new Set())).toBe('unknown');
  expect(other.requests).toEqual([]);
});
