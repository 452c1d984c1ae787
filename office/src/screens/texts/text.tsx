import { isLanguage, type Language } from '@ballot-beacon/contract/languages';
import type { TextAnswer, Words } from '@ballot-beacon/contract/office/words';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { CallError } from '../../api/client.ts';
import { Failure } from '../../shell/failure.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { useRefresh } from '../../shell/refresh.ts';
import { useSession } from '../../shell/session.tsx';
import { useTyped } from '../../shell/typed.ts';
import { languageName, t } from '../../words/index.ts';
import { DraftPanel } from './draft-panel.tsx';
import { History, Notes } from './history.tsx';
import { MessageSample } from './message-sample.tsx';
import { helpOfText, hrefOfText, nameOfText, StateBadge } from './name.tsx';
import { Preview } from './preview.tsx';

/** One text in one language: what is typed, how voters would see it, and what it was before. */
export function TextScreen({
  text,
  language,
}: {
  readonly text: string;
  readonly language: string;
}) {
  const { act } = useSession();
  const shown: Language = isLanguage(language) ? language : 'english';
  const query = { text, language: shown };
  const answer = useQuery({
    queryKey: ['text', text, shown],
    queryFn: () => act('getText', { query }),
  });
  return (
    <>
      <p>
        <Link href={`/texts?language=${shown}`}>{t('text.back')}</Link>
      </p>
      <h1>
        {nameOfText(text)}, {languageName(shown)}
      </h1>
      <p className="help">{helpOfText(text)}</p>
      <Loaded query={answer}>{(data) => <Text {...data} text={text} language={shown} />}</Loaded>
    </>
  );
}

function Text(of: TextAnswer & { readonly text: string; readonly language: Language }) {
  const { text, language, draft, history } = of;
  const { act } = useSession();
  const { typed, latest, setTyped } = useTyped<TypedWords>('text', text, language);
  const [placed, setPlaced] = useState(0);
  const stored = draft?.words ?? of.own ?? of.product;
  const key = { text, language };
  const work = useMutation({
    mutationFn: (step: () => Promise<readonly string[]>) => step(),
    onSettled: useRefresh(),
  });
  const decision = () => ({ body: { ...key, version: draft?.version ?? 0 } });
  const version = draft?.version ?? null;
  const save = (words: Words | null, base = version) =>
    work.mutate(async () => {
      const before = latest();
      const body = { ...key, words, version: base };
      const saved = await act('saveDraft', { body });
      const { dropped } = saved;
      const now = latest();
      // Else more was typed meanwhile, after what is saved now.
      setTyped(now === before ? null : now && { ...now, base: saved.version });
      const parts = dropped.join(', ');
      return [t('text.saved'), ...(parts ? [t('text.dropped', { parts })] : [])];
    });
  const saveTyped = () => {
    const { base, ...words } = latest() ?? { ...stored, base: version };
    save(words, base);
  };
  const publish = () => {
    if (!window.confirm(t('text.publish.sure'))) return;
    work.mutate(async () => {
      await act('publishDraft', decision());
      return [t('text.published')];
    });
  };
  const discard = () =>
    work.mutate(async () => {
      await act('discardDraft', decision());
      return [t('text.discarded')];
    });
  const undo = (versionId: number) =>
    work.mutate(async () => {
      await act('undoText', { body: { ...key, version_id: versionId } });
      return [t('text.undone')];
    });
  const review = (versionId: number) =>
    work.mutate(async () => {
      await act('reviewText', { params: { version_id: versionId } });
      return [];
    });
  const removeNote = (noteId: number) => {
    if (!window.confirm(t('text.note.sure'))) return;
    work.mutate(async () => {
      await act('removeReleaseNote', { params: { release_note_id: noteId } });
      return [];
    });
  };
  const mayReplace = () => !latest() || window.confirm(t('text.replace.sure'));
  const { error } = work;
  const shown = {
    version: `${draft?.version ?? 0} ${history[0]?.version_id ?? 0}`,
    isUnsaved: typed !== null,
  };
  return (
    <>
      <div aria-live="polite">
        {work.data?.map((line) => (
          <p key={line} className="notice notice-good">
            {line}
          </p>
        ))}
      </div>
      <Failure error={error} />
      <DraftPanel
        {...{ of, typed, stored, placed }}
        onType={(part) => setTyped({ base: version, ...(latest() ?? stored), ...part })}
        onDiscard={() => setTyped(null)}
        errors={error instanceof CallError ? error.fields : {}}
        work={{
          isBusy: work.isPending,
          save: saveTyped,
          reset: () => {
            if (mayReplace()) save(null);
          },
          publish,
          discard,
        }}
      />
      {text.startsWith('messages:') && <MessageSample {...key} {...shown} />}
      {!text.startsWith('messages:') && text !== 'release-note' && <Preview {...key} {...shown} />}
      {text === 'release-note' ? (
        <Notes notes={of.notes} onRemove={removeNote} />
      ) : (
        <Translations {...of} />
      )}
      <History
        history={history}
        canUndo={text !== 'release-note'}
        isBusy={work.isPending}
        onUndo={undo}
        onReview={review}
        onUse={(words) => {
          if (!mayReplace()) return;
          setTyped({ base: version, ...(words ?? of.product) });
          setPlaced(placed + 1);
        }}
      />
    </>
  );
}

interface TypedWords extends Words {
  /** The version of the draft on which the person began to type; null: there was none. */
  readonly base: number | null;
}

function Translations({
  text,
  language,
  translations,
}: TextAnswer & { readonly text: string; readonly language: Language }) {
  if (translations.length < 2) return null;
  return (
    <section className="panel card">
      <h2>{t('text.translations')}</h2>
      <ul>
        {translations.map(({ language: one, state }) => (
          <li key={one}>
            {one === language ? (
              <strong>{languageName(one)}</strong>
            ) : (
              <Link href={hrefOfText(text, one)}>{languageName(one)}</Link>
            )}{' '}
            <StateBadge state={state} />
          </li>
        ))}
      </ul>
    </section>
  );
}
