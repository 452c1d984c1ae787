import type {
  ElectionDeadlines,
  FixDeadlinesChange,
} from '@ballot-beacon/contract/office/fix-deadlines';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Button } from '../../../../web/src/ui/button.tsx';
import { CallError } from '../../api/client.ts';
import { Failure } from '../../shell/failure.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { useRefresh } from '../../shell/refresh.ts';
import { useRefusalOf } from '../../shell/refusal.ts';
import { Scroll } from '../../shell/scroll.tsx';
import { useSession } from '../../shell/session.tsx';
import { useWayOn } from '../../shell/way-on.ts';
import { formatDate, formatInstant, formatTime, t } from '../../words/index.ts';
import { DeadlineForm } from './deadline-form.tsx';

type Changes = FixDeadlinesChange['changes'];
type Deadline = ElectionDeadlines['deadlines'][number];

interface Change {
  readonly election: ElectionDeadlines;
  readonly version: string;
  readonly changes: Changes;
  /** What was typed is saved: the list is next. */
  readonly leads?: boolean;
}

/** Until when envelopes of the active elections can be fixed; the form for one of them is open where the address says so. */
export function DeadlinesScreen({ open }: { readonly open: string | undefined }) {
  const { act } = useSession();
  const found = useQuery({
    queryKey: ['fix-deadlines'],
    queryFn: () => act('listFixDeadlines', {}),
  });
  const work = useMutation({
    mutationFn: async ({ election, version, changes }: Change) => {
      const params = { election_id: election.election_id };
      const answer = await act('changeFixDeadlines', { params, body: { version, changes } });
      // What was there before, for these problems alone.
      const before = changes.map(({ defect }) => ({ defect, own: ownOf(election, defect) }));
      const after = {
        ...election,
        deadlines: election.deadlines.map((one) => apply(one, changes)),
      };
      return {
        count: changes.length,
        back: { election: after, version: answer.version, changes: before },
      };
    },
    onMutate: useWayOn(),
    onSuccess: (_done, { leads }, goOn) => leads && goOn('/elections/deadlines'),
    onSettled: useRefresh(),
  });
  useRefusalOf(open, work);
  const change = (election: ElectionDeadlines, changes: Changes, leads = false) => {
    if (!work.isPending) work.mutate({ election, version: election.version, changes, leads });
  };
  const errors = work.error instanceof CallError ? byLastName(work.error.fields) : {};
  const done = work.data;
  return (
    <>
      <h1>{t('deadlines.title')}</h1>
      <p className="help">{t('deadlines.help')}</p>
      <div aria-live="polite">
        {done && (
          <p className="notice notice-good">
            {t('deadlines.done', { count: done.count })}{' '}
            <Button look="quiet" busy={work.isPending} onClick={() => work.mutate(done.back)}>
              {t('deadlines.undo')}
            </Button>
          </p>
        )}
      </div>
      <Failure error={work.error} />
      <Loaded query={found}>
        {({ state, elections }) => {
          const one = elections.find(({ election_id: id }) => String(id) === open);
          if (open !== undefined && !one) return <p role="status">{t('deadlines.noElection')}</p>;
          if (elections.length === 0) return <p role="status">{t('deadlines.none')}</p>;
          return (
            <>
              {(one ? [one] : elections).map((election) => (
                <Election
                  key={election.election_id}
                  {...{ election, state }}
                  isOpen={election === one}
                  isBusy={work.isPending}
                  onRemove={(defect) => change(election, [{ defect, own: null }])}
                />
              ))}
              {one && (
                <DeadlineForm
                  key={one.election_id}
                  election={one}
                  errors={errors}
                  isBusy={work.isPending}
                  onSave={(changes) => change(one, changes, true)}
                />
              )}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function Election({
  election: { election_id: id, name, election_date: day, deadlines },
  state,
  isOpen,
  isBusy,
  onRemove,
}: {
  readonly election: ElectionDeadlines;
  readonly state: string;
  readonly isOpen: boolean;
  readonly isBusy: boolean;
  readonly onRemove: (defect: Deadline['defect']) => void;
}) {
  const { session } = useSession();
  const ofElection = ['kind', 'election', 'certification', 'canvass'];
  const isToGive = deadlines.some(({ law }) => law.missing.some((one) => ofElection.includes(one)));
  return (
    <section className="panel card" aria-labelledby={`deadlines-${id}`}>
      <h2 id={`deadlines-${id}`}>
        {name}, {formatDate(day)}
      </h2>
      <Scroll label={name}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('deadlines.defect')}</th>
              <th scope="col" className="long">
                {t('deadlines.law', { state })}
              </th>
              <th scope="col">{t('deadlines.own')}</th>
            </tr>
          </thead>
          <tbody>
            {deadlines.map(({ defect, law, own }) => (
              <tr key={defect}>
                <th scope="row">{t(`fixes.defect.${defect}`)}</th>
                <td>
                  <Law law={law} />
                </td>
                <td>
                  {own ? (
                    <>
                      <strong>
                        {formatDate(own.ends_on)}, {formatTime(own.ends_at)}
                      </strong>
                      <br />
                      <span className="soft">
                        {t('deadlines.own.by', {
                          reason: own.reason.replace(/\.$/, ''),
                          who: own.who,
                          at: formatInstant(own.set_at, session),
                        })}
                      </span>{' '}
                      <Button
                        look="quiet"
                        busy={isBusy}
                        aria-label={t('deadlines.removeOf', {
                          defect: t(`fixes.defect.${defect}`),
                        })}
                        onClick={() => onRemove(defect)}
                      >
                        {t('deadlines.remove')}
                      </Button>
                    </>
                  ) : (
                    t('deadlines.own.none')
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p className="buttons">
        {!isOpen && (
          <Link
            className="button button-secondary"
            href={`/elections/deadlines/${id}`}
            aria-label={t('deadlines.setOf', { name })}
          >
            {t('deadlines.set')}
          </Link>
        )}
        {isToGive && <Link href={`/elections/${id}`}>{t('deadlines.edit', { name })}</Link>}
      </p>
    </section>
  );
}

function Law({ law: { at, missing, rule } }: Pick<Deadline, 'law'>) {
  const { session } = useSession();
  return (
    <>
      {at && <strong>{formatInstant(at, session)}</strong>}
      {!at && missing.length > 0 && (
        <>
          {t('deadlines.missing')} {missing.map((one) => t(`deadlines.missing.${one}`)).join('; ')}.
        </>
      )}
      {!at && missing.length === 0 && t(rule ? 'deadlines.county' : 'deadlines.unknown')}
      {rule && (
        <>
          <br />
          <span className="soft">
            {t('deadlines.source', { source: rule.source, day: formatDate(rule.checked_on) })}{' '}
            {rule.note}
          </span>
        </>
      )}
    </>
  );
}

function ownOf({ deadlines }: ElectionDeadlines, defect: Deadline['defect']) {
  const own = deadlines.find((one) => one.defect === defect)?.own;
  return own ? { ends_on: own.ends_on, ends_at: own.ends_at, reason: own.reason } : null;
}

/** As the list will have it, so that an undo can be undone. */
function apply(one: Deadline, changes: Changes): Deadline {
  const change = changes.find(({ defect }) => defect === one.defect);
  return change ? { ...one, own: change.own && { ...change.own, who: '', set_at: '' } } : one;
}

/** `changes/0/own/ends_on` as `ends_on`. */
function byLastName(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name.split('/').at(-1) ?? name, text]),
  );
}
