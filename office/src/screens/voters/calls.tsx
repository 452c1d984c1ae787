import { mostNoteLength, type VoterRecord } from '@ballot-beacon/contract/office/voters';
import { useMutation } from '@tanstack/react-query';
import { Button } from '../../../../web/src/ui/button.tsx';
import { Failure } from '../../shell/failure.tsx';
import { useSession } from '../../shell/session.tsx';
import { useTyped } from '../../shell/typed.ts';
import { formatInstant, t } from '../../words/index.ts';
import { useRecordChange } from './record.ts';

/** What clerks noted of the voter's calls, and a form for another. */
export function Calls({ voter }: { readonly voter: VoterRecord }) {
  const { session, act } = useSession();
  const change = useRecordChange(voter.voter_id);
  const { typed, latest, setTyped } = useTyped<string>('note', voter.voter_id);
  const note = useMutation({
    mutationFn: (text: string) =>
      act('noteCall', { params: { voter_id: voter.voter_id }, body: { text } }),
    onSuccess: (added, text) => {
      change((record) => ({ ...record, notes: [added, ...record.notes] }));
      // What was typed meanwhile is another note.
      if (latest() === text) setTyped(null);
    },
  });
  return (
    <section className="panel card" aria-labelledby="calls">
      <h2 id="calls">{t('voter.notes')}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (typed && !note.isPending) note.mutate(typed);
        }}
      >
        <div className="field">
          <label className="field-label" htmlFor="note">
            {t('voter.note')}
          </label>
          <p className="field-hint" id="note-hint">
            {t('voter.note.hint')}
          </p>
          <textarea
            className="field-input"
            id="note"
            rows={3}
            value={typed ?? ''}
            onChange={(event) => setTyped(event.currentTarget.value || null)}
            required
            maxLength={mostNoteLength}
            autoComplete="off"
            aria-describedby="note-hint"
          />
        </div>
        <Button type="submit" busy={note.isPending}>
          {t('voter.note.save')}
        </Button>
      </form>
      <div aria-live="polite">
        {note.data && <p className="notice notice-good">{t('voter.note.saved')}</p>}
      </div>
      <Failure error={note.error} />
      {voter.notes.length === 0 && <p>{t('voter.notes.none')}</p>}
      <ul className="todo">
        {voter.notes.map(({ note_id: id, at, who, text }) => (
          <li key={id}>
            <span className="soft">
              {formatInstant(at, session)}, {who}
            </span>
            <blockquote className="lines">{text}</blockquote>
          </li>
        ))}
      </ul>
    </section>
  );
}
