import {
  isWrongSetting,
  type OutboundMessage,
  type Outcome,
  outcomeOfNetworkError,
  type Provider,
  providerCall,
  readRetryAfter,
} from './provider.ts';

/** A text-message gateway spoken to in the plainest way, for failover (docs/operations.md, Second SMS provider). */
export interface HttpSmsSettings {
  /** Takes `POST` of `{to, from, body, reference, callback}` as JSON with `Idempotency-Key`. */
  readonly url: string;
  readonly token: string;
  readonly callbackUrl: string;
}

export function createHttpSmsProvider(settings: HttpSmsSettings): Provider {
  async function sendOne(message: OutboundMessage): Promise<Outcome> {
    try {
      const response = await fetch(settings.url, {
        ...providerCall(),
        method: 'POST',
        headers: {
          authorization: `Bearer ${settings.token}`,
          'content-type': 'application/json',
          'idempotency-key': message.reference,
        },
        body: JSON.stringify({
          to: message.to,
          from: message.from,
          body: message.body,
          reference: message.reference,
          callback: `${settings.callbackUrl}?message=${message.messageId}`,
        }),
      });
      const answer = (await response.json().catch(() => ({}))) as { id?: string; error?: string };
      if (response.ok) return { kind: 'accepted', providerMessageId: answer.id ?? null };
      const code =
        answer.error?.replaceAll(/[^a-z0-9-]/gi, '').slice(0, 40) || String(response.status);
      if (response.status === 429)
        return {
          kind: 'throttled',
          retryAfterMs: readRetryAfter(response.headers.get('retry-after')),
          code,
        };
      if (response.status === 502 || response.status === 504) return { kind: 'unknown', code };
      const address =
        code === 'invalid-number' ? 'invalid' : code === 'opted-out' ? 'stopped' : null;
      if (response.status >= 500 || (address === null && isWrongSetting(response.status)))
        return { kind: 'retryable', code };
      return { kind: 'permanent', code, address };
    } catch (error) {
      return outcomeOfNetworkError(error);
    }
  }
  return {
    name: 'http-sms',
    channel: 'sms',
    batchSize: 20,
    reportsReceipts: true,
    afterLoss: 'idempotent',
    send: (messages) => Promise.all(messages.map(sendOne)),
  };
}
