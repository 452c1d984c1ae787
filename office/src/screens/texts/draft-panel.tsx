import { type Language, languages } from '@ballot-beacon/contract/languages';
import type { TextAnswer, Words } from '@ballot-beacon/contract/office/words';
import { useState } from 'react';
import { Button } from '../../../../web/src/ui/button.tsx';
import { InputField } from '../../shell/input-field.tsx';
import { useSession } from '../../shell/session.tsx';
import { formatInstant, t } from '../../words/index.ts';
import { TextEditor } from './editor.tsx';

interface TextWork {
  readonly isBusy: boolean;
  save(words: Words | null): void;
  publish(): void;
  discard(): void;
}

/** Where the words are typed, saved and published. */
export function DraftPanel({
  of,
  shown,
  typed,
  setTyped,
  errors,
  work,
}: {
  readonly of: TextAnswer & { readonly text: string; readonly language: Language };
  readonly shown: Words;
  readonly typed: Words | null;
  readonly setTyped: (typed: Words | null) => void;
  readonly errors: Readonly<Record<string, string>>;
  readonly work: TextWork;
}) {
  const { session } = useSession();
  const { draft, form, language, english } = of;
  const [round, setRound] = useState(0);
  const anew = (run: () => void) => () => {
    setTyped(null);
    setRound(round + 1);
    run();
  };
  return (
    <section className="panel card">
      <h2>{t('text.edit')}</h2>
      <p className="help">
        {draft
          ? t('text.draft.by', { who: draft.who, at: formatInstant(draft.at, session) })
          : t('text.draft.none')}{' '}
        {draft?.words === null && t('text.draft.reset')}
      </p>
      {language !== 'english' && (
        <details>
          <summary>{t('text.english')}</summary>
          {english.title && <p lang={languages.english.tag}>{english.title}</p>}
          <p className="text-source" lang={languages.english.tag}>
            {form === 'html' ? plainOf(english.body) : english.body}
          </p>
        </details>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!work.isBusy) work.save(shown);
        }}
      >
        {form === 'titled' && (
          <InputField
            id="text-title"
            label={t('text.heading')}
            value={shown.title}
            error={errors['words/title'] ?? errors.title}
            onChange={(title) => setTyped({ ...shown, title })}
          />
        )}
        <TextEditor
          // A text that comes from elsewhere than the keyboard is put into a new editor.
          key={`${draft?.version ?? 0} ${round}`}
          form={form}
          language={language}
          value={shown.body}
          error={errors['words/body'] ?? errors.body}
          onChange={(body) => setTyped({ ...shown, body })}
        />
        <p className="buttons">
          <Button type="submit" look={draft && !typed ? 'secondary' : 'primary'} busy={work.isBusy}>
            {t('text.save')}
          </Button>
          {draft && !typed && (
            <Button look="primary" busy={work.isBusy} onClick={work.publish}>
              {t('text.publish')}
            </Button>
          )}
          {(draft || typed) && (
            <Button look="quiet" onClick={anew(() => draft && work.discard())}>
              {t('text.discard')}
            </Button>
          )}
          {of.own && (
            <Button look="quiet" onClick={anew(() => work.save(null))}>
              {t('text.reset')}
            </Button>
          )}
        </p>
      </form>
    </section>
  );
}

function plainOf(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '';
}
