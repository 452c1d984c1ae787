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
