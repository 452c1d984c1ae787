import { useState } from 'react';
import { Button } from '../../../web/src/ui/button.tsx';
import { t } from '../words/index.ts';
import { Scroll } from './scroll.tsx';

const bothWidths = ['phone', 'desktop'] as const;

/** A page of voters as the server renders it to look at, at two widths unless others are named. */
export function VoterPage({
  title,
  address,
  version,
  widths = bothWidths,
}: {
  readonly title: string;
  readonly address: string;
  /** Loads it anew when it changes. */
  readonly version: string;
  readonly widths?: readonly (typeof bothWidths)[number][];
}) {
  return (
    <div className="previews">
      {widths.map((width) => (
        <figure key={width} className={`preview preview-${width}`}>
          <figcaption>{t(`text.preview.${width}`)}</figcaption>
          <Scroll label={t(`text.preview.${width}`)} className="preview-frame">
            <Frame
              key={`${address} ${version}`}
              title={`${title}: ${t(`text.preview.${width}`)}`}
              address={address}
            />
          </Scroll>
        </figure>
      ))}
    </div>
  );
}

/** Where the server gave no page, a frame would show its bare answer. */
function Frame({ title, address }: { readonly title: string; readonly address: string }) {
  const [hasFailed, setHasFailed] = useState(false);
  if (hasFailed)
    return (
      <div className="preview-failed" role="alert">
        <p>{t('app.failed.title')}.</p>
        <Button onClick={() => setHasFailed(false)}>{t('app.retry')}</Button>
      </div>
    );
  return (
    // Nothing in it runs: of this host, so that its fonts load.
    <iframe
      title={title}
      src={address}
      sandbox="allow-same-origin"
      // Without a connection it has no document that this page may see.
      onLoad={({ currentTarget: { contentDocument } }) =>
        setHasFailed(contentDocument?.contentType !== 'text/html')
      }
    />
  );
}
