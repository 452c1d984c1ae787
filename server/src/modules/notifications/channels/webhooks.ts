import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { problem } from '../../../platform/problem.ts';
import type { Receipt } from './provider.ts';

/** A text that came in. */
export interface InboundSms {
  readonly provider: string;
  readonly providerMessageId: string;
  /** E.164. */
  readonly from: string;
  /** The short code it was sent to. */
  readonly to: string;
  readonly text: string;
}

/** A call that came in; both numbers E.164. */
export interface InboundCall {
  readonly provider: string;
  readonly providerMessageId: string;
  readonly from: string;
  readonly to: string;
}

/** What is said to a caller before the line is closed. */
export interface Spoken {
  readonly text: string;
  /** BCP 47. */
  readonly languageTag: string;
}

/** What the webhooks of every provider end in, in our own terms. */
export interface InboundHandlers {
  text(sms: InboundSms): Promise<void>;
  /** Null: no office has that number. */
  call(call: InboundCall): Promise<Spoken | null>;
  keypress(pressed: { readonly messageId: number; readonly digit: string }): Promise<Spoken | null>;
  receipts(receipts: readonly Receipt[]): Promise<void>;
}

/** The message that a callback's address names, `?message=NUMBER`. */
export function readMessageId(request: FastifyRequest): number {
  const { message } = request.query as { message?: string };
  if (typeof message !== 'string' || !/^\d{1,15}$/.test(message))
    throw problem(422, 'The address names no message.');
  return Number(message);
}

/** Text from a provider: bounded, and without the NUL that PostgreSQL cannot keep. */
export const boundedText = (minimum: number, maximum: number) =>
  z.string().check(
    z.minLength(minimum),
    z.maxLength(maximum),
    z.refine((text) => !text.includes('\0')),
  );

/** A body of the documented shape. @throws a 422 that names the first field that is not */
export function readBody<Schema extends z.ZodMiniType>(
  schema: Schema,
  body: unknown,
): z.infer<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join('.') || 'the body';
  throw problem(422, `Not of the documented shape: ${field}.`);
}
