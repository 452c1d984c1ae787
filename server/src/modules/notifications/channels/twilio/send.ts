import {
  type OutboundMessage,
  type Outcome,
  outcomeOfNetworkError,
  type Provider,
  providerCall,
} from '../provider.ts';
import { outcomeOfTwilioError } from './outcomes.ts';
import { callScript } from './script.ts';

/** Access to Twilio's REST API, of which we use three endpoints (twilio.com/docs/messaging/api, …/voice/api). */
export interface TwilioAccess {
  readonly accountSid: string;
  readonly authToken: string;
  /** `https://api.twilio.com`, another only in tests. */
  readonly baseUrl: string;
  /** Where Twilio reports deliveries and pressed keys: `https://…/api/provider/twilio`. */
  readonly callbackUrl: string;
  readonly messagingServiceSid: string | null;
}

export function createTwilioSmsProvider(settings: TwilioAccess): Provider {
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
    find: (message, since) => {
      // What else a text says may have changed meanwhile: a name, a number, the office's words.
      const code = message.body.slice(message.body.lastIndexOf(' ') + 1);
      return findAt(
        settings,
        'Messages',
        message,
        since,
        (item) => item.body?.endsWith(code) === true,
      );
    },
  };
}

export function createTwilioVoiceProvider(settings: TwilioAccess): Provider {
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
    // Twilio does not keep what a call said.
    find: (message, since, others) =>
      findAt(settings, 'Calls', message, since, ({ sid }) => !others.has(sid)),
  };
}

type TwilioItem = { sid: string; body?: string; date_created: string };

async function post(
  settings: TwilioAccess,
  resource: 'Messages' | 'Calls',
  fields: Record<string, string>,
): Promise<Outcome> {
  let response: Response;
  try {
    response = await fetch(endpoint(settings, resource), {
      ...providerCall(),
      method: 'POST',
      headers: authorization(settings),
      body: new URLSearchParams(fields),
    });
    const answer = (await response.json().catch(() => ({}))) as { sid?: string; code?: number };
    if (response.ok) return { kind: 'accepted', providerMessageId: answer.sid ?? null };
    return outcomeOfTwilioError(response, answer.code);
  } catch (error) {
    return outcomeOfNetworkError(error);
  }
}

async function findAt(
  settings: TwilioAccess,
  resource: 'Messages' | 'Calls',
  message: OutboundMessage,
  since: Date,
  isIt: (item: TwilioItem) => boolean,
): Promise<'absent' | 'unknown' | { providerMessageId: string }> {
  const url = new URL(endpoint(settings, resource));
  url.searchParams.set('To', message.to);
  url.searchParams.set('PageSize', '50');
  try {
    const response = await fetch(url, { ...providerCall(), headers: authorization(settings) });
    if (!response.ok) return 'unknown';
    const answer = (await response.json()) as Record<string, TwilioItem[] | undefined>;
    // Twilio's clock has whole seconds and is not ours.
    const earliest = since.getTime() - 5_000;
    const found = (answer[resource.toLowerCase()] ?? []).find(
      (item) => Date.parse(item.date_created) >= earliest && isIt(item),
    );
    return found ? { providerMessageId: found.sid } : 'absent';
  } catch {
    return 'unknown';
  }
}

function endpoint(settings: TwilioAccess, resource: string): string {
  return `${settings.baseUrl}/2010-04-01/Accounts/${settings.accountSid}/${resource}.json`;
}

function authorization({ accountSid, authToken }: TwilioAccess): Record<string, string> {
  return {
    authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
  };
}
