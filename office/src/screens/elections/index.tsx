import type { ElectionChange, ListedElection } from '@ballot-beacon/contract/office/elections';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { Button } from '../../../../web/src/ui/button.tsx';
import { CallError } from '../../api/client.ts';
import { Failure } from '../../shell/failure.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { useRefresh } from '../../shell/refresh.ts';
import { useRefusalOf } from '../../shell/refusal.ts';
import { useSession } from '../../shell/session.tsx';
import { SortedTable } from '../../shell/sorted-table.tsx';
import { useTyped } from '../../shell/typed.ts';
import { useWayOn } from '../../shell/way-on.ts';
import { formatDate, formatTime, t } from '../../words/index.ts';
import { ElectionForm } from './form.tsx';
import { changeTo, type Draft, nothingTyped, toElection, toTyped } from './typed.ts';

interface News {
  readonly text: string;
  /** The way back, where there is one. */
  readonly undo?: () => void;
  /** What was typed is done with: this ends it, and the list is next. */
  readonly end?: (() => void) | undefined;
}

/** The elections of the office; one of them, or a new one, is open where the address says so. */
export function ElectionsScreen({ open }: { readonly open: string | undefined }) {
  const { act } = useSession();
  const [, go] = useLocation();
  const elections = useQuery({
    queryKey: ['elections'],
    queryFn: () => act('listElections', {}),
  });
  const { typed: draft, setTyped } = useTyped<Draft>('election', open);
  const end = () => setTyped(null);
  const work = useMutation({
    mutationFn: (change: () => Promise<News>) => change(),
    onMutate: useWayOn(),
    onSuccess: ({ end }, _change, goOn) => {
      if (!end) return;
      end();
      goOn('/elections');
    },
    onSettled: useRefresh(),
  });

  /** @param one as the person saw it */
  const change = (one: ListedElection, body: ElectionChange, end?: () => void) =>
    work.mutate(async () => {
      const params = { election_id: one.election_id };
      const from = Object.fromEntries(
        (Object.keys(body) as (keyof ElectionChange)[]).map((name) => [name, one[name]]),
      );
      await act('changeElection', { params, body: { ...body, from } });
      return {
        text: t('elections.changed', { name: body.name ?? one.name }),
        undo: () => change(Object.assign({}, one, body), from),
        end,
      };
    });
  const add = ({ typed }: Draft) =>
    work.mutate(async () => {
      await act('addElection', { body: toElection(typed) });
      return { text: t('elections.added', { name: typed.name }), end };
    });
  const remove = ({ election_id, name }: ListedElection) => {
    if (!window.confirm(t('elections.remove.sure', { name }))) return;
    work.mutate(async () => {
      await act('removeElection', { params: { election_id } });
      return { text: t('elections.removed', { name }), end };
    });
  };
  useRefusalOf(open, work);
  const leave = () => {
    end();
    work.reset();
    go('/elections');
  };

  const errors = work.error instanceof CallError ? work.error.fields : {};
  const { data: news, isPending: isBusy } = work;
  return (
    <>
      <h1>{t('elections.title')}</h1>
      <p className="help">{t('elections.help')}</p>
      <div aria-live="polite">
        {news && (
          <p className="notice notice-good">
            {news.text}{' '}
            {news.undo && (
              <Button look="quiet" onClick={news.undo}>
                {t('elections.undo')}
              </Button>
            )}
          </p>
        )}
      </div>
      <Failure error={work.error} />
      <Loaded query={elections}>
        {({ elections: all }) => {
          const one = all.find(({ election_id: id }) => String(id) === open);
          if (open === 'new')
            return (
              <ElectionForm
                title={t('elections.add')}
                given={nothingTyped}
                {...{ draft, setTyped, errors, isBusy }}
                onSave={add}
                onCancel={leave}
              />
            );
          if (one)
            return (
              <ElectionForm
                key={one.election_id}
                title={one.name}
                given={toTyped(one)}
                {...{ draft, setTyped, errors, isBusy }}
                onSave={({ before: given, typed }) => {
                  const before = toElection(given);
                  change({ ...one, ...before }, changeTo(before, toElection(typed)), end);
                }}
                onCancel={leave}
              >
                <Button look="quiet" onClick={() => remove(one)}>
                  {t('elections.remove')}
                </Button>
                {one.is_active && (
                  <Link href={`/elections/deadlines/${one.election_id}`}>
                    {t('deadlines.link')}
                  </Link>
                )}
              </ElectionForm>
            );
          return (
            <>
              <p className="buttons">
                <Link className="button button-primary" href="/elections/new">
                  {t('elections.add')}
                </Link>
                <Link className="button button-secondary" href="/elections/deadlines">
                  {t('deadlines.link')}
                </Link>
              </p>
              {all.length === 0 ? (
                <p role="status">{t('elections.none')}</p>
              ) : (
                <List
                  elections={all}
                  onActivate={(chosen) => change(chosen, { is_active: !chosen.is_active })}
                />
              )}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function List({
  elections,
  onActivate,
}: {
  readonly elections: readonly ListedElection[];
  readonly onActivate: (election: ListedElection) => void;
}) {
  return (
    <SortedTable
      label={t('elections.title')}
      path="/elections"
      className="scroll card"
      rows={elections}
      keyOf={({ election_id: id }) => String(id)}
      columns={[
        {
          id: 'name',
          name: t('elections.name'),
          isRowHeader: true,
          sortKey: ({ name }) => name,
          cell: ({ election_id: id, name }) => (
            <Link href={`/elections/${id}`} aria-label={t('elections.editOf', { name })}>
              {name}
            </Link>
          ),
        },
        {
          id: 'number',
          name: t('elections.number'),
          sortKey: ({ number }) => number,
          cell: ({ number }) => number,
        },
        {
          id: 'day',
          name: t('elections.date'),
          sortKey: ({ election_date: day }) => day,
          cell: ({ election_date: day }) => formatDate(day),
        },
        {
          id: 'state',
          name: t('elections.state'),
          sortKey: ({ is_active: isActive }) => (isActive ? 0 : 1),
          cell: ({ is_active: isActive }) => (
            <span className={isActive ? 'badge badge-good' : 'badge'}>
              {t(isActive ? 'elections.active' : 'elections.inactive')}
            </span>
          ),
        },
        { id: 'return', name: t('elections.return'), cell: describeDeadline },
        {
          id: 'actions',
          name: t('elections.actions'),
          cell: (one) => {
            const verb = one.is_active ? 'deactivate' : 'activate';
            return (
              <Button
                look="quiet"
                aria-label={t(`elections.${verb}Of`, { name: one.name })}
                onClick={() => onActivate(one)}
              >
                {t(`elections.${verb}`)}
              </Button>
            );
          },
        },
      ]}
    />
  );
}

function describeDeadline({ return_deadline: deadline }: ListedElection): string {
  if (!deadline) return t('elections.return.none');
  const { rule, date, time, place } = deadline;
  const when = [formatDate(date), time && formatTime(time)].filter(Boolean).join(', ');
  return [t(`elections.return.${rule}`, { when }), place].filter(Boolean).join(', ');
}
