import { createTransport } from 'nodemailer';
import { callTimeoutMs, type OutboundMessage, type Outcome, type Provider } from './provider.ts';

export interface SmtpSettings {
  /** `smtps://user:password@host:465` or `smtp://host:587` (STARTTLS where offered). */
  readonly url: string;
  readonly dkim: {
    readonly domainName: string;
    readonly keySelector: string;
    readonly privateKey: string;
  } | null;
}

/** Among them both one-click headers, which RFC 8058 §4 wants under the signature. */
const signedHeaders =
  'From:Reply-To:Subject:Date:Message-ID:To:MIME-Version:Content-Type:Content-Language:Auto-Submitted:List-Unsubscribe:List-Unsubscribe-Post';

/**
 * Email by SMTP. A mail whose acceptance was lost is sent again under the same Message-ID, which many
 * mail systems, but not all, show once.
 */
export function createSmtpProvider(settings: SmtpSettings): Provider {
  const batchSize = 20;
  const transport = createTransport({
    pool: true,
    maxConnections: 10,
    url: settings.url,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: callTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(settings.dkim ? { dkim: { ...settings.dkim, headerFieldNames: signedHeaders } } : {}),
  });

  async function sendOne(message: OutboundMessage): Promise<Outcome> {
    try {
      const info = await transport.sendMail({
        messageId: mailMessageId(message),
        from: { name: message.fromName, address: message.from },
        to: { name: '', address: message.to },
        ...(message.replyTo
          ? { replyTo: { name: message.fromName, address: message.replyTo } }
          : {}),
        subject: message.subject ?? '',
        text: message.body,
        ...(message.html ? { html: message.html } : {}),
        headers: {
          'Content-Language': message.languageTag,
          // Keeps out-of-office answers away (RFC 3834).
          'Auto-Submitted': 'auto-generated',
          'X-Beacon-Message': message.reference,
          ...(message.unsubscribe
            ? {
                'List-Unsubscribe': `<${message.unsubscribe.oneClick}>`,
                'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
              }
            : {}),
        },
      });
      return { kind: 'accepted', providerMessageId: info.messageId };
    } catch (error) {
      return outcomeOfSmtpError(error);
    }
  }

  return {
    name: 'smtp',
    channel: 'email',
    batchSize,
    reportsReceipts: false,
    afterLoss: 'repeat',
    send: (messages) => Promise.all(messages.map(sendOne)),
    close: async () => transport.close(),
  };
}

function mailMessageId(message: Pick<OutboundMessage, 'reference' | 'from'>): string {
  return `<${message.reference}@${message.from.split('@')[1] ?? 'localhost'}>`;
}

interface SmtpError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly command?: string;
}

/**
 * Reads an SMTP refusal: RFC 5321 reply codes (4yz passing, 5yz final) and RFC 3463 enhanced codes
 * (x.1.z and x.2.z speak of the mailbox, x.7.z of policy, 4.7.z and 421/450/452 of rates).
 */
function outcomeOfSmtpError(error: unknown): Outcome {
  const { code = '', responseCode, response = '', command = '' } = error as SmtpError;
  if (responseCode === undefined) {
    // Nodemailer names a broken connection by the command it was at; before DATA's end nothing was accepted.
    const isBeforeBody = /^(CONN|EHLO|HELO|LHLO|STARTTLS|AUTH.*|MAIL FROM|RCPT TO)$/.test(command);
    const lost = code === 'ECONNECTION' || code === 'ETIMEDOUT' || code === 'ESOCKET';
    if (code === 'EDNS' || code === 'ECONNREFUSED' || (lost && isBeforeBody))
      return { kind: 'retryable', code: code || 'SMTP' };
    if (code === 'EAUTH' || code === 'EENVELOPE') return { kind: 'retryable', code };
    return { kind: 'unknown', code: code || 'SMTP' };
  }
  const enhanced = /\b([245])\.(\d{1,3})\.(\d{1,3})\b/.exec(response);
  const shown = enhanced?.[0] ?? String(responseCode);
  if (
    responseCode === 421 ||
    /^4\.[37]\./.test(shown) ||
    /\b(rate|throttl|too many)/i.test(response)
  )
    return responseCode < 500
      ? { kind: 'throttled', retryAfterMs: null, code: shown }
      : { kind: 'retryable', code: shown };
  if (responseCode < 500) return { kind: 'retryable', code: shown };
  // x.1.7 and x.1.8 speak of the sender's address, which is a setting of ours.
  if (code === 'EAUTH' || /^5\.(7\.8|1\.[78])$/.test(shown))
    return { kind: 'retryable', code: shown };
  // x.2.2 to x.2.4: a full mailbox, a mail too long, a list's fault. The address is good.
  const isOfAddress = /^5\.[12]\./.test(shown) && !/^5\.2\.[234]$/.test(shown);
  const isMailbox =
    command === 'RCPT TO' && (enhanced ? isOfAddress : isUnknownMailbox(responseCode, response));
  return { kind: 'permanent', code: shown, address: isMailbox ? 'invalid' : null };
}

/**
 * Whether a refusal without an enhanced code is of the address. 552 is a full mailbox, 554 any failure; and 550 is of a mailbox or of a
 * policy, of which only its text speaks.
 */
function isUnknownMailbox(responseCode: number, response: string): boolean {
  if (responseCode === 552 || responseCode === 554) return false;
  return !/\b(block|blacklist|denied|policy|relay|reputation|sender|spam|spf|dkim|dmarc)/i.test(
    response,
  );
}
