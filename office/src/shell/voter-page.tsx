import { t } from '../words/index.ts';
import { Scroll } from './scroll.tsx';

/** A page of voters as the server previews it, at two widths. */
export function VoterPage({
  title,
  address,
  version,
}: {
  readonly title: string;
  readonly address: string;
  /** Loads it anew when it changes. */
  readonly version: string;
}) {
  return (
    <div className="previews">
      {(['phone', 'desktop'] as const).map((width) => (
        <figure key={width} className={`preview preview-${width}`}>
          <figcaption>{t(`text.preview.${width}`)}</figcaption>
          <Scroll label={t(`text.preview.${width}`)} className="preview-frame">
            {/* Nothing in it runs: of this host, so that its fonts load. */}
            <iframe
              key={`${address} ${version}`}
              title={`${title}: ${t(`text.preview.${width}`)}`}
              src={address}
              sandbox="allow-same-origin"
            />
          </Scroll>
        </figure>
      ))}
    </div>
  );
}
