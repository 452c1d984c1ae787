import type { MessageKind } from '@ballot-beacon/contract/messages';

/** The `error_code` of messages that the lost database may have handed over. */
export const restoredCode = 'restored';

/** What files cause, and so would be caused again by the same file. What a voter asks for is made once, by the voter. */
const causedByFiles: ReadonlySet<MessageKind> = new Set([
  'status',
  'catch-up',
  'correction',
  'news-waiting',
  'fix-reminder',
  'stopped-mail',
]);

/** Whether a message that is made while an office's restore is open may be the second about the same news. */
export function mayBeRepeated(kind: MessageKind): boolean {
  return causedByFiles.has(kind);
}
