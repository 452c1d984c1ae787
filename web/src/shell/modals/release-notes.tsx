import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { useFormats } from '../formats.ts';
import { useTexts } from '../texts.ts';
import { Difficulties } from './difficulties.tsx';
import { useReleaseNotes } from './office-content.ts';
import { OfficeHtml } from './office-html.tsx';

/** What is new, latest first, a page at a time. */
export function ReleaseNotes() {
  const { t } = useTexts();
  const formats = useFormats();
  const [page, setPage] = useState(1);
  const notes = useReleaseNotes(page);

  if (notes.isError) return <Difficulties onRetry={() => notes.refetch()} />;
  if (!notes.data) return <Loading text={t('app.loading')} slowText={t('app.loadingSlow')} />;
  const { _embedded, page_count: pageCount } = notes.data;
  if (_embedded.release_note.length === 0) return <p>{t('releaseNotes.empty')}</p>;
  return (
    <>
      <ul className="release-notes" aria-busy={notes.isPlaceholderData}>
        {_embedded.release_note.map((note) => (
          <li key={note.release_note_id}>
            <h3>
              <time dateTime={note.published_datetime}>
                {formats.date(note.published_datetime)}
              </time>
            </h3>
            <div dir="auto">
              <OfficeHtml html={note.release_note} />
            </div>
          </li>
        ))}
      </ul>
      <Pager page={page} pageCount={pageCount} onTurn={setPage} />
    </>
  );
}

interface PagerProps {
  page: number;
  pageCount: number;
  onTurn: (page: number) => void;
}

function Pager({ page, pageCount, onTurn }: PagerProps) {
  const { t } = useTexts();
  const formats = useFormats();
  const turn = (label: string, to: number) => (
    <Button
      // Stays in the tab order at either end, so that a keyboard does not lose its place there.
      aria-disabled={to === page || to < 1 || to > pageCount || undefined}
      onClick={() => onTurn(Math.min(Math.max(to, 1), pageCount))}
    >
      {label}
    </Button>
  );
  return (
    <nav className="pager" aria-label={t('releaseNotes.pages')}>
      {turn(t('releaseNotes.first'), 1)}
      {turn(t('releaseNotes.prev'), page - 1)}
      <p role="status">
        {t('releaseNotes.page', {
          page: formats.number(page),
          pageCount: formats.number(pageCount),
        })}
      </p>
      {turn(t('releaseNotes.next'), page + 1)}
      {turn(t('releaseNotes.last'), pageCount)}
    </nav>
  );
}
