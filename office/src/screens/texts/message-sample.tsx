import type { Language } from '@ballot-beacon/contract/languages';
import { languages } from '@ballot-beacon/contract/languages';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../shell/session.tsx';
import { nameOf, t } from '../../words/index.ts';

/** A message with the saved draft, as an invented voter would get it. */
export function MessageSample({
  text,
  language,
  version,
  isUnsaved,
}: {
  readonly text: string;
  readonly language: Language;
  /** Loads it anew when it changes. */
  readonly version: string;
  readonly isUnsaved: boolean;
}) {
  const { act } = useSession();
  const sample = useQuery({
    queryKey: ['text-sample', text, language, version],
    queryFn: () => act('sampleMessage', { query: { text, language } }),
    retry: false,
  });
  const { tag: lang, dir } = languages[language];
  return (
    <section className="panel card" aria-labelledby="sample">
      <h2 id="sample">{t('text.sample')}</h2>
      <p className="help">{t('text.sample.help')}</p>
      {isUnsaved && <p className="notice">{t('text.preview.unsaved')}</p>}
      {sample.error && <p role="status">{sample.error.message}</p>}
      {sample.data && (
        <>
          <p>
            <strong>{nameOf('channel', sample.data.channel)}</strong>
            {sample.data.segments !== null &&
              `: ${t('text.sample.segments', {
                count: sample.data.segments,
                most: sample.data.most_segments ?? sample.data.segments,
              })}`}
          </p>
          {sample.data.subject && (
            <p>
              <strong {...{ lang, dir }}>{sample.data.subject}</strong>
            </p>
          )}
          <p className="text-source" {...{ lang, dir }}>
            {sample.data.body}
          </p>
        </>
      )}
    </section>
  );
}
