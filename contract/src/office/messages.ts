import * as z from 'zod/mini';
import { languageNames } from '../languages.ts';
import { channels, type MessageState, messageKinds, messageStates } from '../messages.ts';
import { MessageFinish } from './files.ts';
import { FilterDay, listPage, RowId } from './filters.ts';

/** What became of a message, as the list is filtered by it. */
export const messageOutcomes = {
  waiting: ['created', 'held'],
  sent: ['sending', 'sent'],
  delivered: ['delivered'],
  failed: ['failed-permanent', 'failed-temporary-exhausted', 'outcome-unknown'],
  unsent: ['superseded', 'withdrawn', 'expired'],
} as const satisfies Readonly<Record<string, readonly MessageState[]>>;

export type MessageOutcome = keyof typeof messageOutcomes;
export const messageOutcomeNames = Object.keys(messageOutcomes) as [
  MessageOutcome,
  ...MessageOutcome[],
];

/** The outcome by which the list finds messages in this state. @throws {RangeError} for a state that none has */
export function outcomeOf(state: MessageState): MessageOutcome {
  const found = messageOutcomeNames.find((name) =>
    (messageOutcomes[name] as readonly MessageState[]).includes(state),
  );
  if (!found) throw new RangeError(`No outcome of the list has ${state}.`);
  return found;
}

export const MessagesQuery = z.object({
  /** The first and the last day on which messages were created, in the office's time zone: `YYYY-MM-DD`. */
  from: FilterDay,
  to: FilterDay,
  kind: z.optional(z.enum(messageKinds)),
  channel: z.optional(z.enum(channels)),
  language: z.optional(z.enum(languageNames)),
  outcome: z.optional(z.enum(messageOutcomeNames)),
  ...listPage,
});
export type MessagesQuery = z.infer<typeof MessagesQuery>;

const ListedMessage = z.object({
  message_id: z.int(),
  /** Instants, ISO 8601. */
  created_at: z.string(),
  kind: z.enum(messageKinds),
  /** Of the ballot that it is about. */
  status: z.nullable(z.string()),
  channel: z.enum(channels),
  language: z.string(),
  state: z.enum(messageStates),
  /** Null for an answer to a number that no voter gave. */
  voter_id: z.nullable(z.int()),
  registration_id: z.nullable(z.string()),
});
export type ListedMessage = z.infer<typeof ListedMessage>;

/** Messages, without those to confidential voters. */
export const MessagesAnswer = z.object({
  messages: z.array(ListedMessage),
  /** The key of the next page; null on the last. */
  next: z.nullable(z.int()),
});
export type MessagesAnswer = z.infer<typeof MessagesAnswer>;

export const MessageParams = z.object({ message_id: RowId });

export const MessageAnswer = z.extend(ListedMessage, {
  address: z.string(),
  /** The earliest instant at which it may leave. */
  deliver_after: z.string(),
  /** When a provider accepted it. */
  sent_at: z.nullable(z.string()),
  attempts: z.int(),
  provider: z.nullable(z.string()),
  error: z.nullable(z.string()),
  /** The file that it is about. */
  import_id: z.nullable(z.int()),
  /** What the provider reported, oldest first. */
  receipts: z.array(
    z.object({ at: z.string(), outcome: z.string(), error: z.nullable(z.string()) }),
  ),
  /** The text of this kind in the office's words, with invented values. */
  sample: z.nullable(z.object({ subject: z.nullable(z.string()), body: z.string() })),
});
export type MessageAnswer = z.infer<typeof MessageAnswer>;

/** What waits to leave, by the sender of this office that it waits for. */
export const QueueAnswer = z.object({
  senders: z.array(
    z.object({
      channel: z.enum(channels),
      /** Other offices send from it, too: their messages count. */
      is_shared: z.boolean(),
      messages: z.int(),
      finish: MessageFinish,
    }),
  ),
});
export type QueueAnswer = z.infer<typeof QueueAnswer>;
