import { createHmac, timingSafeEqual } from 'node:crypto';
import { escapeHtml } from '../texts/render.ts';
import {
  callTimeoutMs,
  type OutboundMessage,
  type Outcome,
  outcomeOfNetworkError,
  type Provider,
  readRetryAfter,
} from './provider.ts';

/** Twilio's REST API, three endpoints of it (twilio.com/docs/messaging/api, …/voice/api). */
export interface TwilioSettings {
  readonly accountSid: string;
  readonly authToken: string;
  /** `https://api.twilio.com`, another only in tests. */
  readonly baseUrl: string;
  /** Where Twilio reports deliveries and pressed keys: `https://…/api/provider/twilio`. */
  readonly callbackUrl: string;
  readonly messagingServiceSid: string | null;
}

export function createTwilioSmsProvider(settings: TwilioSettings): Provider {
  return {
    name: 'twilio',
    channel: 'sms',
    batchSize: 20,
    reportsReceipts: true,
    afterLoss: 'query',
    send: (messages) =>
      Promise.all(
        messages.map((message) =>
          post(settings, 'Messages', {
            To: message.to,
            Body: message.body,
            ...(settings.messagingServiceSid
              ? { MessagingServiceSid: settings.messagingServiceSid }
              : { From: message.from }),
            StatusCallback: `${settings.callbackUrl}/status?message=${message.messageId}`,
          }),
        ),
      ),
    find: (message, since) =>
      findAt(settings, 'Messages', message, since, (item) => item.body === message.body),
  };
}

export function createTwilioVoiceProvider(settings: TwilioSettings): Provider {
  return {
    name: 'twilio',
    channel: 'voice',
    batchSize: 10,
    reportsReceipts: true,
    afterLoss: 'query',
    send: (messages) =>
      Promise.all(
        messages.map((message) =>
          post(settings, 'Calls', {
            To: message.to,
            From: message.from,
            Twiml: callScript(message, settings.callbackUrl),
            StatusCallback: `${settings.callbackUrl}/status?message=${message.messageId}`,
          }),
        ),
      ),
    find: (message, since) => findAt(settings, 'Calls', message, since, () => true),
  };
}

/** Languages of Twilio's voices (twilio.com/docs/voice/twiml/say); others are spoken in the nearest it has. */
const spokenTags: Record<string, string> = {
  'ar-SA': 'arb',
  'zh-HK': 'yue-CN',
  'zh-CN': 'cmn-CN',
  'tl-PH': 'fil-PH',
};

/** TwiML of a call: says its paragraphs, listens for 9 throughout, and says them once more. */
export function callScript(
  message: Pick<OutboundMessage, 'body' | 'languageTag' | 'messageId'>,
  callbackUrl: string,
): string {
  const action = escapeHtml(`${callbackUrl}/keypress?message=${message.messageId}`);
  const spoken = say(message.body, message.languageTag);
  const gather = `<Gather numDigits="1" timeout="3" action="${action}" method="POST">${spoken}</Gather>`;
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${gather}${gather}<Hangup/></Response>`;
}

/** One `<Say>` a paragraph, with a breath between. */
export function say(text: string, languageTag: string): string {
  const language = spokenTags[languageTag] ?? languageTag;
  return text
    .split('\n')
    .map((paragraph) => `<Say language="${language}">${escapeHtml(paragraph)}</Say>`)
    .join('<Pause length="1"/>');
}

/**
 * Whether Twilio made this request: HMAC-SHA1 over the address it called and the sorted form fields
 * (twilio.com/docs/usage/security). `url` is the public one, with query.
 */
export function isSignedByTwilio(
  authToken: string,
  signature: string | undefined,
  url: string,
  fields: Readonly<Record<string, string>>,
): boolean {
  if (!signature) return false;
  const text = Object.keys(fields)
    .sort()
    .reduce((signed, name) => signed + name + fields[name], url);
  const expected = createHmac('sha1', authToken).update(text, 'utf8').digest();
  const given = Buffer.from(signature, 'base64');
  return expected.length === given.length && timingSafeEqual(expected, given);
}

type TwilioItem = { sid: string; body?: string; date_created: string };

async function post(
  settings: TwilioSettings,
  resource: 'Messages' | 'Calls',
  fields: Record<string, string>,
): Promise<Outcome> {
  let response: Response;
  try {
    response = await fetch(endpoint(settings, resource), {
      method: 'POST',
      headers: authorization(settings),
      body: new URLSearchParams(fields),
      signal: AbortSignal.timeout(callTimeoutMs),
    });
    const answer = (await response.json().catch(() => ({}))) as { sid?: string; code?: number };
    if (response.ok) return { kind: 'accepted', providerMessageId: answer.sid ?? null };
    return outcomeOfTwilioError(response, answer.code);
  } catch (error) {
    return outcomeOfNetworkError(error);
  }
}

/** Error codes that say something of the number (twilio.com/docs/api/errors). */
const badNumbers = new Set([
  21211, 21214, 21217, 21401, 21407, 21421, 21612, 21614, 13223, 13224, 13227,
]);
const stoppedNumber = 21610;

function outcomeOfTwilioError(response: Response, twilioCode: number | undefined): Outcome {
  const code = String(twilioCode ?? response.status);
  if (response.status === 429)
    return {
      kind: 'throttled',
      retryAfterMs: readRetryAfter(response.headers.get('retry-after')),
      code,
    };
  // A gateway that gave up waiting does not know what became of the request.
  if (response.status === 502 || response.status === 504) return { kind: 'unknown', code };
  if (response.status >= 500) return { kind: 'retryable', code };
  // Our credentials or settings are wrong: no fault of this message, which shall go when they are put right.
  if (response.status === 401 || response.status === 403 || response.status === 404)
    return { kind: 'retryable', code };
  if (twilioCode === stoppedNumber) return { kind: 'permanent', code, address: 'stopped' };
  const isBad = twilioCode !== undefined && badNumbers.has(twilioCode);
  return { kind: 'permanent', code, address: isBad ? 'invalid' : null };
}

async function findAt(
  settings: TwilioSettings,
  resource: 'Messages' | 'Calls',
  message: OutboundMessage,
  since: Date,
  isSameContent: (item: TwilioItem) => boolean,
): Promise<'absent' | 'unknown' | { providerMessageId: string }> {
  const url = new URL(endpoint(settings, resource));
  url.searchParams.set('To', message.to);
  url.searchParams.set('PageSize', '50');
  try {
    const response = await fetch(url, {
      headers: authorization(settings),
      signal: AbortSignal.timeout(callTimeoutMs),
    });
    if (!response.ok) return 'unknown';
    const answer = (await response.json()) as Record<string, TwilioItem[] | undefined>;
    // Twilio's clock has whole seconds and is not ours.
    const earliest = since.getTime() - 5_000;
    const found = (answer[resource.toLowerCase()] ?? []).find(
      (item) => Date.parse(item.date_created) >= earliest && isSameContent(item),
    );
    return found ? { providerMessageId: found.sid } : 'absent';
  } catch {
    return 'unknown';
  }
}

function endpoint(settings: TwilioSettings, resource: string): string {
  return `${settings.baseUrl}/2010-04-01/Accounts/${settings.accountSid}/${resource}.json`;
}

function authorization({ accountSid, authToken }: TwilioSettings): Record<string, string> {
  return {
    authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
  };
}
