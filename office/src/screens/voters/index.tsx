import type { VoterMatches } from '@ballot-beacon/contract/office/voters';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../../../web/src/ui/button.tsx';
import { Failure } from '../../shell/failure.tsx';
import { useSession } from '../../shell/session.tsx';
import { SortedTable } from '../../shell/sorted-table.tsx';
import { formatBorn, t } from '../../words/index.ts';

/** What a search found, as far as it is listed. */
interface Listed {
  readonly text: string;
  /** With how many match. */
  readonly first: VoterMatches;
  readonly voters: VoterMatches['voters'];
  readonly next: number | null;
}

/** One box for everything that a voter at the phone can say. What is typed stays out of the address and the history. */
export function VotersScreen() {
  const { act } = useSession();
  const [listed, setListed] = useState<Listed>();
  const search = useMutation({
    mutationFn: async ({ text, before }: { text: string; before?: Listed }): Promise<Listed> => {
      const after = before?.next ?? undefined;
      const found = await act('findVoters', { body: { text, ...(after && { after }) } });
      const { voters, next } = found;
      if (!before) return { text, first: found, voters, next };
      return { ...before, voters: [...before.voters, ...voters], next };
    },
  });
  // Of several searches only the last one's: more of those before may come later.
  const last = { onSuccess: setListed };
  const isMore = search.variables?.before !== undefined;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (search.isPending && !isMore) return;
    setListed(undefined);
    search.mutate({ text: String(new FormData(event.currentTarget).get('text') ?? '') }, last);
  };
  const showMore = (before: Listed) => {
    if (!search.isPending) search.mutate({ text: before.text, before }, last);
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
          <Button type="submit" look="primary" busy={search.isPending && !isMore}>
            {t('voters.find')}
          </Button>
        </form>
      </search>
      <Failure error={search.error} />
      <div aria-live="polite">{listed && <p>{describe(listed)}</p>}</div>
      {listed && listed.voters.length > 0 && <Matches voters={listed.voters} />}
      {listed && listed.next !== null && (
        <p className="pager">
          <Button busy={search.isPending} onClick={() => showMore(listed)}>
            {t('voters.more')}
          </Button>
        </p>
      )}
    </>
  );
}

function describe({ first: { matches, is_more: isMore }, voters, next }: Listed): string {
  if (voters.length === 0) return t('voters.none');
  const count = isMore
    ? t('voters.matches.more', { most: matches })
    : t('voters.matches', { count: matches });
  return next === null ? count : `${count} ${t('voters.first', { shown: voters.length })}`;
}

function Matches({ voters }: { readonly voters: VoterMatches['voters'] }) {
  return (
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
  );
}
