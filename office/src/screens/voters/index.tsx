import type { VoterMatches } from '@ballot-beacon/contract/office/voters';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { Link } from 'wouter';
import { Button } from '../../../../web/src/ui/button.tsx';
import { useSession } from '../../shell/session.tsx';
import { SortedTable } from '../../shell/sorted-table.tsx';
import { formatBorn, t } from '../../words/index.ts';

/** One box for everything that a voter at the phone can say. What is typed stays out of the address and the history. */
export function VotersScreen() {
  const { act } = useSession();
  const search = useMutation({
    mutationKey: ['voters'],
    mutationFn: (text: string) => act('findVoters', { body: { text } }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!search.isPending)
      search.mutate(String(new FormData(event.currentTarget).get('text') ?? ''));
  };
  return (
    <>
      <h1>{t('voters.title')}</h1>
      <p className="help">{t('voters.help')}</p>
      <search>
        <form className="panel card" onSubmit={submit}>
          <div className="field">
            <label className="field-label" htmlFor="text">
              {t('voters.box')}
            </label>
            <p className="field-hint" id="text-hint">
              {t('voters.box.hint')}
            </p>
            <input
              className="field-input"
              id="text"
              name="text"
              required
              minLength={2}
              maxLength={200}
              autoComplete="off"
              spellCheck={false}
              aria-describedby="text-hint"
            />
          </div>
          <Button type="submit" look="primary" busy={search.isPending}>
            {t('voters.find')}
          </Button>
        </form>
      </search>
      {search.error && (
        <p className="notice notice-bad" role="alert">
          {search.error.message}
        </p>
      )}
      <div aria-live="polite">{search.data && <Matches found={search.data} />}</div>
    </>
  );
}

function Matches({ found: { matches, voters } }: { found: VoterMatches }) {
  if (voters.length === 0) return <p>{t('voters.none')}</p>;
  return (
    <>
      <p>
        {t('voters.matches', { count: matches })}
        {matches > voters.length && ` ${t('voters.first', { shown: voters.length })}`}
      </p>
      <SortedTable
        label={t('voters.title')}
        path="/voters"
        className="scroll card"
        rows={voters}
        keyOf={({ voter_id: id }) => String(id)}
        columns={[
          {
            id: 'voter',
            name: t('voter.id'),
            isRowHeader: true,
            sortKey: ({ registration_id: id }) => id,
            cell: (one) => <Link href={`/voters/${one.voter_id}`}>{one.registration_id}</Link>,
          },
          {
            id: 'name',
            name: t('voter.detail.name'),
            sortKey: ({ name }) => name || null,
            cell: ({ name, is_active: isActive }) => (
              <>
                {name || t('voter.confidential')}{' '}
                {!isActive && <span className="badge">{t('voter.inactive')}</span>}
              </>
            ),
          },
          {
            id: 'born',
            name: t('voter.detail.born'),
            sortKey: ({ born }) => born,
            cell: ({ born }) => (born === null ? '–' : formatBorn(born)),
          },
          {
            id: 'place',
            name: t('voter.place'),
            sortKey: ({ place }) => place || null,
            cell: ({ place }) => place,
          },
        ]}
      />
    </>
  );
}
