import { createHash } from 'node:crypto';

/** A native reviewer's mark on one string. It is valid only while the English text is the same as at the review. */
export interface StringReview {
  /** The reviewer's role, for instance "Adams County language access coordinator". Never a person's name. */
  readonly by: string;
  /** YYYY-MM-DD */
  readonly date: string;
  /** `hashSource` of the English text that was reviewed. */
  readonly source: string;
}

/** locales/LANGUAGE/review.json. String IDs are `FILE:KEY`, for instance `main:login.title`. */
export interface Review {
  /** True when every string has a valid reviewer's mark; voters see a note while it is false. */
  readonly reviewed: boolean;
  /** What a native reviewer should check first, in English. */
  readonly look_first: readonly string[];
  readonly strings: Readonly<Record<string, StringReview>>;
}

export const noReview: Review = { reviewed: false, look_first: [], strings: {} };

/** A short fingerprint of an English text, in hexadecimal. */
export function hashSource(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

export function isReviewed(review: Review, id: string, source: string): boolean {
  return review.strings[id]?.source === hashSource(source);
}
