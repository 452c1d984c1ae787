import * as z from 'zod/mini';
import { channels } from './messages.ts';

/** What a message was for, in the words of the page: several of the kinds of `messages.ts` are one to a voter. */
export const messageTopics = [
  'status',
  'correction',
  'confirm',
  'reply',
  'news',
  'notice',
  'code',
] as const;
export type MessageTopic = (typeof messageTopics)[number];

/** The code at the end of a message, as a visitor types it. */
export const MessageCheck = z.strictObject({
  code: z.string().check(z.minLength(1), z.maxLength(40)),
});
export type MessageCheck = z.infer<typeof MessageCheck>;

/** What is confirmed of a message: nothing about its voter. */
export const CheckedMessage = z.object({
  channel: z.enum(channels),
  topic: z.enum(messageTopics),
  /** YYYY-MM-DD in the office's time zone. */
  sent_on: z.string(),
});
export type CheckedMessage = z.infer<typeof CheckedMessage>;

/** From where an office sent messages in the last 30 days, and of which topics. */
export const MessageOrigins = z.object({
  /** How every link in its messages starts. */
  address: z.string(),
  senders: z.array(z.object({ channel: z.enum(channels), sender: z.string() })),
  topics: z.array(z.enum(messageTopics)),
});
export type MessageOrigins = z.infer<typeof MessageOrigins>;
