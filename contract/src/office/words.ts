import * as z from 'zod/mini';
import { type Language, languageNames } from '../languages.ts';
import { channels } from '../messages.ts';
import { RowId } from './filters.ts';

/** What an office writes itself beside single texts of the page and of messages. */
export const pieces = ['alert', 'faq', 'county-information', 'no-ballot', 'release-note'] as const;
export type Piece = (typeof pieces)[number];

/** One of {@link pieces}, or a key of `locales/` after its section: `main:login.hero.title`. */
const TextName = z
  .string()
  .check(
    z.regex(
      /^(?:alert|faq|county-information|no-ballot|release-note|(?:main|messages):[\w.-]{1,120})$/,
      'There is no such text.',
    ),
  );

export const LanguageName = z.enum(languageNames as readonly [Language, ...Language[]]);

/** In letters, HTML among them. */
export const longestText = 40_000;
const Words = z.object({
  /** Of the text for voters without a ballot; all others have none. */
  title: z.string(),
  /** HTML or plain, as the text's form says. */
  body: z.string(),
});
export type Words = z.infer<typeof Words>;

export const textForms = ['html', 'plain', 'titled'] as const;

/**
 * `own`: in the office's words; `reviewed`: these were reviewed by another person; `outdated`: the office's English changed since; `missing`: the office
 * has its own English and nothing in this language; `product`: as everywhere.
 */
export const textStates = ['product', 'own', 'reviewed', 'outdated', 'missing'] as const;
export type TextState = (typeof textStates)[number];

export const TextsQuery = z.object({
  language: LanguageName,
  /** Part of a text or of its key. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(100))),
  /** Texts of messages that go this way alone. */
  channel: z.optional(z.enum(channels)),
});

export const TextsAnswer = z.object({
  /** Of the office, in its order. */
  languages: z.array(LanguageName),
  texts: z.array(
    z.object({
      text: z.string(),
      /** How it begins, as voters read it, without HTML. */
      beginning: z.string(),
      state: z.enum(textStates),
      has_draft: z.boolean(),
      /** In how many parts voters get a text message with it; null for all else. */
      segments: z.nullable(z.int()),
    }),
  ),
  /** More match: search for more words. */
  has_more: z.boolean(),
});
export type TextsAnswer = z.infer<typeof TextsAnswer>;

export const TextQuery = z.object({ text: TextName, language: LanguageName });
export type TextQuery = z.infer<typeof TextQuery>;

export const TextAnswer = z.object({
  form: z.enum(textForms),
  /** What an office without words of its own shows. */
  product: Words,
  /** What readers of English see: the source of a translation. */
  english: Words,
  /** The office's own words; null without any. */
  own: z.nullable(Words),
  draft: z.nullable(
    z.object({
      /** Null goes back to the product's own words. */
      words: z.nullable(Words),
      /** Grows with each save. */
      version: z.int(),
      who: z.string(),
      at: z.string(),
      /** Whether the person who asks may publish it: see `saysStatus`. */
      can_publish: z.boolean(),
    }),
  ),
  translations: z.array(z.object({ language: LanguageName, state: z.enum(textStates) })),
  /** Newest first; from and to null: the product's own words. */
  history: z.array(
    z.object({
      version_id: z.int(),
      at: z.string(),
      who: z.string(),
      from: z.nullable(Words),
      to: z.nullable(Words),
      /** Who reviewed it; null: nobody yet. */
      reviewed_by: z.nullable(z.string()),
      /** Whether the person who asks may review it: the author may not. */
      can_review: z.boolean(),
    }),
  ),
  /** Of the text `release-note`: what was published, newest first. */
  notes: z.array(
    z.object({ release_note_id: z.int(), html: z.string(), published_at: z.string() }),
  ),
});
export type TextAnswer = z.infer<typeof TextAnswer>;

const ofText = { text: TextName, language: LanguageName };

/** What a draft may contain, before it is known which text it is of. */
export const DraftWords = z.strictObject({
  title: z.string().check(z.trim(), z.maxLength(200, 'Use at most 200 characters.')),
  body: z.string().check(z.trim(), z.maxLength(longestText, 'This text is too long.')),
});

export const DraftSave = z.strictObject({
  ...ofText,
  words: z.nullable(DraftWords),
  /** Of the draft that the person saw; null: there was none. */
  version: z.nullable(z.int()),
});
export type DraftSave = z.infer<typeof DraftSave>;

export const DraftSaved = z.object({
  version: z.int(),
  /** What pages may not contain and was removed: `<script> with its content`. */
  dropped: z.array(z.string()),
});

/** Publishes or discards the draft that the person saw. */
export const DraftDecision = z.strictObject({ ...ofText, version: z.int() });

export const TextUndo = z.strictObject({
  ...ofText,
  /** Of the last change, which the person saw. */
  version_id: z.int(),
});

export const VersionParams = z.object({ version_id: RowId });
export const NoteParams = z.object({ release_note_id: RowId });

/** Pages on which a draft can be looked at. */
export const previewScreens = ['login', 'dashboard', 'faq', 'preferences'] as const;
export type PreviewScreen = (typeof previewScreens)[number];

export const PreviewQuery = z.object({
  ...ofText,
  screen: z.enum(previewScreens),
});

/** A message with the draft, or with what voters read now, as an invented voter would get it. */
export const MessageSample = z.object({
  channel: z.enum(channels),
  subject: z.nullable(z.string()),
  /** Plain; of a call, what is spoken. */
  body: z.string(),
  /** In how many parts a text message is sent; null for all else. */
  segments: z.nullable(z.int()),
  /** The most that a draft may come to; null where `segments` is. */
  most_segments: z.nullable(z.int()),
});
export type MessageSample = z.infer<typeof MessageSample>;
