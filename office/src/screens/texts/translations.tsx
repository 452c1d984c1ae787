import type { Language } from '@ballot-beacon/contract/languages';
import {
  mostTranslationBytes,
  type TranslationsImported,
} from '@ballot-beacon/contract/office/translations';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Button } from '../../../../web/src/ui/button.tsx';
import { saveFile } from '../../api/save-file.ts';
import { Failure } from '../../shell/failure.tsx';
import { useRefresh } from '../../shell/refresh.ts';
import { useSession } from '../../shell/session.tsx';
import { languageName, t } from '../../words/index.ts';
import { hrefOfText, nameOfText } from './name.tsx';

const size = `${mostTranslationBytes / 1024 / 1024} MB`;

/** The office's texts out to its translators in one language, and back as drafts. */
export function Translations({ language }: { readonly language: Language }) {
  const { act } = useSession();
  const name = languageName(language);
  const download = useMutation({
    mutationFn: async () => saveFile(await act('downloadTranslations', { query: { language } })),
  });
  const bring = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > mostTranslationBytes) throw new Error(t('translations.tooLarge', { size }));
      return act('importTranslations', { body: await file.arrayBuffer() });
    },
    onMutate: () => download.reset(),
    onSettled: useRefresh('texts'),
  });
  const error = download.error ?? bring.error;
  return (
    <section className="panel card" aria-labelledby="translations">
      <h2 id="translations">{t('translations.title', { language: name })}</h2>
      <p className="help">{t('translations.help', { language: name })}</p>
      <Failure error={error} />
      <p>
        <Button busy={download.isPending} onClick={() => download.mutate()}>
          {t('translations.download')}
        </Button>
      </p>
      <div className="field">
        <label className="field-label" htmlFor="translations-file">
          {t('translations.choose', { size })}
        </label>
        <input
          className="field-input"
          id="translations-file"
          type="file"
          accept=".xlf,.xliff,application/xliff+xml"
          disabled={bring.isPending}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            if (file) bring.mutate(file);
            // The same file can be chosen again, after it was corrected.
            event.currentTarget.value = '';
          }}
        />
      </div>
      <div aria-live="polite">{bring.data && <Outcome {...bring.data} />}</div>
    </section>
  );
}

function Outcome({ language, drafted, unchanged, untranslated, refused }: TranslationsImported) {
  return (
    <>
      <p className={drafted.length > 0 ? 'notice notice-good' : 'notice'}>
        {drafted.length > 0
          ? t('translations.drafted', { count: drafted.length, language: languageName(language) })
          : t('translations.drafted.none')}{' '}
        {unchanged > 0 && t('translations.unchanged', { count: unchanged })}{' '}
        {untranslated > 0 && t('translations.untranslated', { count: untranslated })}
      </p>
      <ul>
        {drafted.map((text) => (
          <li key={text}>
            <Link href={hrefOfText(text, language)}>{nameOfText(text)}</Link>
          </li>
        ))}
      </ul>
      {refused.length > 0 && (
        <div className="notice notice-bad">
          <p>{t('translations.refused', { count: refused.length })}</p>
          <ul>
            {refused.map(({ text, reason }) => (
              <li key={text}>
                <strong>{nameOfText(text)}</strong>: {reason}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
