import type { TextAnswer, Words } from '@ballot-beacon/contract/office/words';
import { Button } from '../../../../web/src/ui/button.tsx';
import { Scroll } from '../../shell/scroll.tsx';
import { useSession } from '../../shell/session.tsx';
import { formatInstant, t } from '../../words/index.ts';

type Version = TextAnswer['history'][number];

/** Who changed a text, from what to what, with the way back and what a second person says of it. */
export function History({
  history,
  canUndo,
  isBusy,
  onUndo,
  onReview,
  onUse,
}: {
  readonly history: readonly Version[];
  readonly canUndo: boolean;
  readonly isBusy: boolean;
  readonly onUndo: (versionId: number) => void;
  readonly onReview: (versionId: number) => void;
  readonly onUse: (words: Words | null) => void;
}) {
  const { session } = useSession();
  const [last] = history;
  return (
    <section className="panel card">
      <h2>{t('text.history')}</h2>
      {!last && <p role="status">{t('text.history.none')}</p>}
      {last && canUndo && (
        <p>
          <Button busy={isBusy} onClick={() => onUndo(last.version_id)}>
            {t('text.undo')}
          </Button>
        </p>
      )}
      {last && (
        <Scroll label={t('text.history')}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{t('text.when')}</th>
                <th scope="col">{t('text.who')}</th>
                <th scope="col">{t('text.change')}</th>
                <th scope="col">{t('text.review')}</th>
              </tr>
            </thead>
            <tbody>
              {history.map((one) => {
                const at = formatInstant(one.at, session);
                return (
                  <tr key={one.version_id}>
                    <th scope="row">{at}</th>
                    <td>{one.who}</td>
                    <td>
                      <del>{plainOf(one.from)}</del> → <ins>{plainOf(one.to)}</ins>{' '}
                      <Button
                        look="quiet"
                        aria-label={t('text.againOf', { at })}
                        onClick={() => onUse(one.to)}
                      >
                        {t('text.again')}
                      </Button>
                    </td>
                    <td>
                      <Review version={one} at={at} onReview={onReview} />
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  );
}

function Review({
  version: { version_id: id, reviewed_by: who, can_review: mayReview },
  at,
  onReview,
}: {
  readonly version: Version;
  readonly at: string;
  readonly onReview: (versionId: number) => void;
}) {
  if (who !== null) return t('text.reviewed', { who });
  if (!mayReview) return t('text.unreviewed');
  return (
    <Button look="quiet" aria-label={t('text.reviewOf', { at })} onClick={() => onReview(id)}>
      {t('text.reviewIt')}
    </Button>
  );
}

/** Release notes that voters can read. */
export function Notes({
  notes,
  onRemove,
}: {
  readonly notes: TextAnswer['notes'];
  readonly onRemove: (noteId: number) => void;
}) {
  const { session } = useSession();
  return (
    <section className="panel card">
      <h2>{t('text.notes')}</h2>
      {notes.length === 0 && <p role="status">{t('text.notes.none')}</p>}
      <ul>
        {notes.map(({ release_note_id: id, html, published_at: published }) => {
          const at = formatInstant(published, session);
          return (
            <li key={id}>
              {at}: {plainOf({ title: '', body: html })}{' '}
              <Button
                look="quiet"
                aria-label={t('text.note.removeOf', { at })}
                onClick={() => onRemove(id)}
              >
                {t('text.note.remove')}
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function plainOf(words: Words | null): string {
  if (!words) return t('text.usual');
  const { textContent } = new DOMParser().parseFromString(words.body, 'text/html').body;
  return [words.title, textContent ?? ''].filter(Boolean).join(': ');
}
