import { type Language, languages } from '@ballot-beacon/contract/languages';
import { lazy, Suspense, useCallback, useState } from 'react';
import { Button } from '../../../../web/src/ui/button.tsx';
import { Loading } from '../../../../web/src/ui/loading.tsx';
import { t } from '../../words/index.ts';

const RichText = lazy(() => import('./rich-text.tsx'));

/** Where a text is typed: with its looks, or as it is. */
export function TextEditor({
  form,
  language,
  value,
  error,
  onChange,
}: {
  readonly form: 'html' | 'plain' | 'titled';
  readonly language: Language;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}) {
  const [isSource, setSource] = useState(false);
  const [isLossy, setLossy] = useState(false);
  const onLossy = useCallback(() => {
    setLossy(true);
    setSource(true);
  }, []);
  const { tag: lang, dir } = languages[language];
  const isRich = form === 'html' && !isSource;
  return (
    <div className="field" data-invalid={error ? '' : undefined}>
      {isRich ? (
        <>
          <p className="field-label">{t('text.body')}</p>
          <Suspense fallback={<Loading text={t('app.loading')} slowText={t('app.loadingSlow')} />}>
            <RichText label={t('text.body')} html={value} {...{ lang, dir, onChange, onLossy }} />
          </Suspense>
        </>
      ) : (
        <>
          <label className="field-label" htmlFor="text-body">
            {t('text.body')}
          </label>
          {isLossy && <p className="field-hint">{t('editor.onlyHtml')}</p>}
          <textarea
            className="field-input"
            id="text-body"
            rows={form === 'html' ? 16 : 5}
            {...{ lang, dir, value }}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? 'text-body-error' : undefined}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        </>
      )}
      {error && (
        <p className="field-error" id="text-body-error">
          {error}
        </p>
      )}
      {form === 'html' && (
        <Button
          look="quiet"
          onClick={() => {
            setLossy(false);
            setSource(!isSource);
          }}
        >
          {t(isSource ? 'editor.rich' : 'editor.html')}
        </Button>
      )}
    </div>
  );
}
