import { escapeHtml } from '../../texts/render.ts';
import type { OutboundMessage } from '../provider.ts';

/** Languages of Twilio's voices (twilio.com/docs/voice/twiml/say); other languages are spoken by the nearest voice. */
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
  return respond(`${gather}${gather}<Hangup/>`);
}

/** One `<Say>` per paragraph, with a pause between. */
export function say(text: string, languageTag: string): string {
  const language = spokenTags[languageTag] ?? languageTag;
  return text
    .split('\n')
    .map((paragraph) => `<Say language="${language}">${escapeHtml(paragraph)}</Say>`)
    .join('<Pause length="1"/>');
}

/** A whole TwiML document. */
export function respond(content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${content}</Response>`;
}
