import { Readable } from 'node:stream';
import { pieces, type TextAnswer } from '@ballot-beacon/contract/office/words';
import type { Config } from '../../platform/config.ts';
import { problem, refuseField } from '../../platform/problem.ts';
import { isSamePerson, recordAudit } from '../audit/index.ts';
import { readReleaseNotes, removeReleaseNote } from '../content/index.ts';
import { nameActors, type OfficeApi, type SignedInVisit } from '../people/index.ts';
import type { Sites } from '../sites/index.ts';
import type { Catalog } from '../texts/index.ts';
import { type RenderPage, renderPreview } from '../web-app/index.ts';
import { changeText, publishNote } from './change-text.ts';
import { checkWords } from './check-words.ts';
import { findTexts } from './find-texts.ts';
import { languagesOf } from './languages.ts';
import { layDraftOver } from './lay-draft-over.ts';
import { countSegments, sampleMessage } from './message-samples.ts';
import {
  findOwnWords,
  formOf,
  keyOf,
  nameText,
  productWords,
  saysStatus,
  stateOf,
  type TextOf,
} from './rules.ts';
import {
  readAuthor,
  readDraft,
  readLastChanges,
  readOwnTexts,
  readVersions,
  saveDraft,
  saveReview,
  takeDraft,
} from './store.ts';
import { registerTranslationRoutes } from './translation-routes.ts';

const mostVersions = 20;
const mostNotes = 20;

interface Parts {
  readonly config: Config;
  readonly sites: Sites;
  /** Renders voters' pages; undefined where only calls are served. */
  readonly render: RenderPage | undefined;
}

/** What an office writes itself: drafts, what is published, its history, and how it looks to voters. */
export function registerWordsRoutes(api: OfficeApi, { config, sites, render }: Parts): void {
  const { catalog } = sites;
  registerTranslationRoutes(api, catalog, config);

  api.answer('listTexts', async (visit, { query }) => {
    const found = await findTexts(visit, catalog, query);
    const segments = await countSegments(visit.db, config, visit.account.accountId, {
      language: query.language,
      texts: found.texts.map(({ text }) => text),
    });
    return {
      languages: languagesOf(visit, catalog),
      ...found,
      texts: found.texts.map((one) => ({ ...one, segments: segments.get(one.text) ?? null })),
    };
  });

  api.answer('getText', async (visit, { query }) => {
    refuseUnknown(catalog, query);
    return readText(visit, catalog, query);
  });

  api.answer('saveDraft', async (visit, { body }) => {
    refuseUnknown(catalog, body);
    const { accountId } = visit.account;
    const read =
      body.words &&
      (await checkWords({ db: visit.db, config, catalog }, accountId, body, body.words));
    if (read && 'problem' in read) throw refuseField(read.field, read.problem);
    const draft = { text: body.text, language: body.language, words: read?.words ?? null };
    const version = await visit.db
      .transaction()
      .execute((tx) => saveDraft(tx, draft, authorOf(visit), body.version));
    if (version === undefined) throw changedMeanwhile();
    return { version, dropped: read?.dropped ?? [] };
  });

  api.answer('discardDraft', ({ db }, { body }) =>
    db.transaction().execute(async (tx) => {
      if (!(await takeDraft(tx, body))) throw changedMeanwhile();
      return undefined;
    }),
  );

  api.answer('publishDraft', (visit, { body }) =>
    visit.db.transaction().execute(async (tx) => {
      refuseUnknown(catalog, body);
      const draft = await takeDraft(tx, body);
      if (!draft) throw changedMeanwhile();
      const nameOf = await nameActors(tx, [draft.actor]);
      if (!mayPublish(visit, body.text, draft, nameOf))
        throw problem(
          409,
          'Another editor must publish this text: it says what became of a ballot.',
        );
      if (body.text !== 'release-note') await changeText(tx, authorOf(visit), body, draft.words);
      else if (draft.words) await publishNote(tx, authorOf(visit), draft.words.body);
      return undefined;
    }),
  );

  api.answer('undoText', (visit, { body }) =>
    visit.db.transaction().execute(async (tx) => {
      const [last] = await readVersions(tx, body, 1);
      const now = findOwnWords(await readOwnTexts(tx, visit.account.accountId), body);
      const isStill = JSON.stringify(now) === JSON.stringify(last?.to ?? null);
      if (last?.versionId !== body.version_id || !isStill || body.text === 'release-note')
        throw problem(409, 'Somebody changed this text meanwhile. Look at it again.');
      await changeText(tx, authorOf(visit), body, last.from);
      return undefined;
    }),
  );

  api.answer('reviewText', (visit, { params }) =>
    visit.db.transaction().execute(async (tx) => {
      const { accountId } = visit.account;
      const { actor } = visit.session;
      const author = await readAuthor(tx, params.version_id);
      const isOwn = isAuthor(visit, author ?? actor, await nameActors(tx, author ? [author] : []));
      if (isOwn || !(await saveReview(tx, params.version_id, actor)))
        throw problem(409, 'Another person than the author must review a text.');
      await recordAudit(tx, accountId, {
        actor,
        action: 'translation.review',
        target: String(params.version_id),
      });
      return undefined;
    }),
  );

  api.answer('removeReleaseNote', ({ db, account: { accountId }, session }, { params }) =>
    db.transaction().execute(async (tx) => {
      const { release_note_id: noteId } = params;
      if (!(await removeReleaseNote(tx, accountId, noteId)))
        throw problem(404, 'This note is not there any more.');
      await recordAudit(tx, accountId, {
        actor: session.actor,
        action: 'release-note.remove',
        target: String(noteId),
      });
      return undefined;
    }),
  );

  api.answer('sampleMessage', async ({ db, account: { accountId } }, { query }) => {
    refuseUnknown(catalog, query);
    const draft = await readDraft(db, query);
    const sample = await sampleMessage(db, config, accountId, query, draft);
    if (!sample) throw problem(404, 'No message to an invented voter contains this text.');
    return sample;
  });

  api.answer('previewText', async ({ db, account, now }, { query, reply }) => {
    const site = await sites.ofAccountNow(account.accountId);
    if (!render || !site) throw problem(404, 'Pages are not served here.');
    const { language, screen } = query;
    const draft = await readDraft(db, query);
    const own = await readOwnTexts(db, account.accountId);
    const laid = layDraftOver({ site, catalog, own, language }, query, draft);
    const preview = await renderPreview(render, { ...laid, language, screen, now });
    reply.header('content-security-policy', preview.policy);
    return Readable.from([preview.html]);
  });
}

async function readText(visit: SignedInVisit, catalog: Catalog, of: TextOf): Promise<TextAnswer> {
  const { db, account } = visit;
  const [own, changes, draft, versions] = [
    await readOwnTexts(db, account.accountId),
    await readLastChanges(db),
    await readDraft(db, of),
    await readVersions(db, of, mostVersions),
  ];
  const { notes } =
    of.text === 'release-note' ? await readReleaseNotes(db, 1, mostNotes) : { notes: [] };
  const actors = versions.flatMap((one) => [
    one.actor,
    ...(one.reviewedBy ? [one.reviewedBy] : []),
  ]);
  const nameOf = await nameActors(db, [...actors, ...(draft ? [draft.actor] : [])]);
  const inEnglish = { text: of.text, language: 'english' } as const;
  return {
    form: formOf(of.text),
    product: productWords(catalog, of),
    english: findOwnWords(own, inEnglish) ?? productWords(catalog, inEnglish),
    own: findOwnWords(own, of),
    draft: draft
      ? {
          words: draft.words,
          version: draft.version,
          who: nameOf(draft.actor),
          at: draft.at.toISOString(),
          can_publish: mayPublish(visit, of.text, draft, nameOf),
        }
      : null,
    translations: languagesOf(visit, catalog).map((language) => ({
      language,
      state: stateOf({ text: of.text, language }, own, changes),
    })),
    history: versions.map((one) => ({
      version_id: one.versionId,
      at: one.at.toISOString(),
      who: nameOf(one.actor),
      from: one.from,
      to: one.to,
      reviewed_by: one.reviewedBy && nameOf(one.reviewedBy),
      can_review: one.reviewedBy === null && !isAuthor(visit, one.actor, nameOf),
    })),
    notes: notes.map((note) => ({
      release_note_id: Number(note.release_note_id),
      html: note.html,
      published_at: note.published_at.toISOString(),
    })),
  };
}

function refuseUnknown(catalog: Catalog, { text, language }: TextOf): void {
  if (text === 'release-note' && language !== 'english')
    throw problem(404, 'Release notes are in one language.');
  if ((pieces as readonly string[]).includes(text)) return;
  const { section, key } = keyOf(text);
  const isNamed = nameText(section, key) === text;
  if (!isNamed || !Object.hasOwn(catalog.texts('english', section), key))
    throw problem(404, 'There is no such text.');
}

function mayPublish(
  visit: SignedInVisit,
  text: string,
  { actor }: { readonly actor: string },
  nameOf: (actor: string) => string,
): boolean {
  return !saysStatus(text) || !isAuthor(visit, actor, nameOf);
}

/** A person with two ways to sign in is two on record, by one name: as for files, every person of that name counts. */
function isAuthor(
  { session }: SignedInVisit,
  actor: string,
  nameOf: (actor: string) => string,
): boolean {
  return actor === session.actor || isSamePerson(nameOf(actor), session.name);
}

function authorOf({ account: { accountId }, session: { actor }, now }: SignedInVisit) {
  return { accountId, actor, now };
}

function changedMeanwhile() {
  return problem(
    409,
    'Somebody else saved or published this draft meanwhile. Copy what you typed, and load the page again.',
  );
}
