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
  /** Keeps what is typed as a draft. */
  save(): void;
  /** Makes it a draft to have no words of the office's own. */
  reset(): void;
  publish(): void;
  discard(): void;
}

/** Where the words are typed, saved and published. */
export function DraftPanel({
  of,
  stored,
  placed,
  typed,
  onType,
  onDiscard,
  errors,
  work,
}: {
  readonly of: TextAnswer & { readonly text: string; readonly language: Language };
  readonly stored: Words;
  /** How often words were put in place of the typed ones. */
  readonly placed: number;
  readonly typed: Words | null;
  readonly onType: (part: Partial<Words>) => void;
  readonly onDiscard: () => void;
  readonly errors: Readonly<Record<string, string>>;
  readonly work: TextWork;
}) {
  const { session } = useSession();
  const { draft, form, language, english } = of;
  const [round, setRound] = useState(0);
  const shown = typed ?? stored;
  // A text that comes from elsewhere than the keyboard is put into a new editor. Nobody's editor is taken away while typing.
  const origin = `${draft?.version ?? 0} ${round} ${stored.body}`;
  const [opened, setOpened] = useState(origin);
  if (!typed && origin !== opened) setOpened(origin);
  /** What was typed first: below it a draft may be somebody else's. */
  const discard = () => {
    if (!typed) return work.discard();
    onDiscard();
    setRound(round + 1);
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
          if (!work.isBusy) work.save();
        }}
      >
        {form === 'titled' && (
          <InputField
            id="text-title"
            label={t('text.heading')}
            value={shown.title}
            error={errors['words/title'] ?? errors.title}
            onChange={(title) => onType({ title })}
          />
        )}
        <TextEditor
          key={`${opened} ${placed}`}
          form={form}
          language={language}
          value={shown.body}
          error={errors['words/body'] ?? errors.body}
          onChange={(body) => onType({ body })}
        />
        <p className="buttons">
          <Button type="submit" look={draft && !typed ? 'secondary' : 'primary'} busy={work.isBusy}>
            {t('text.save')}
          </Button>
          {draft?.can_publish && !typed && (
            <Button look="primary" busy={work.isBusy} onClick={work.publish}>
              {t('text.publish')}
            </Button>
          )}
          {(draft || typed) && (
            <Button look="quiet" busy={work.isBusy} onClick={discard}>
              {t('text.discard')}
            </Button>
          )}
          {of.own && (
            <Button look="quiet" busy={work.isBusy} onClick={work.reset}>
              {t('text.reset')}
            </Button>
          )}
        </p>
        {draft && !draft.can_publish && <p className="help">{t('text.publish.other')}</p>}
      </form>
    </section>
  );
}

function plainOf(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '';
}
