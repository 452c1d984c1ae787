import { defects } from '@ballot-beacon/contract/ballot-status-progress';
import {
  type FixColumn,
  type FixesAnswer,
  fixColumns,
  fixStates,
} from '@ballot-beacon/contract/office/fixes';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useAddressFilter } from '../../shell/address-filter.ts';
import { useAddressSort } from '../../shell/address-sort.ts';
import { Choice } from '../../shell/choice.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { Scroll } from '../../shell/scroll.tsx';
import { useSession } from '../../shell/session.tsx';
import { SortHeader } from '../../shell/sort-header.tsx';
import { formatInstant, t, type WordKey } from '../../words/index.ts';
import { LettersPanel } from './letters.tsx';
import { FixReportPanel } from './report.tsx';

type Fix = FixesAnswer['fixes'][number];

const noticeNames: Readonly<Record<string, WordKey>> = {
  email: 'fixes.how.email',
  sms: 'fixes.how.sms',
  voice: 'fixes.how.voice',
  letter: 'fixes.how.letter',
};

/** Envelopes that voters can fix. Only who may look up voters sees the queue; the counts are for everybody. */
export function FixesScreen() {
  const { session } = useSession();
  return (
    <>
      <h1>{t('fixes.title')}</h1>
      {session.permissions.includes('settings') && (
        <p>
          <Link href="/elections/deadlines">{t('deadlines.link')}</Link>
        </p>
      )}
      {session.permissions.includes('voters') && <Queue />}
      <FixReportPanel />
    </>
  );
}

function Queue() {
  const { act } = useSession();
  const filter = useAddressFilter('/fixes');
  const sorting = useAddressSort(filter, { usual: { column: 'deadline', isDescending: false } });
  const { column, isDescending } = sorting.sort ?? {};
  // An address that somebody mistyped shows the queue as usual.
  const query = {
    state: fixStates.find((one) => one === filter.valueOf('state')) ?? 'open',
    defect: defects.find((one) => one === filter.valueOf('defect')),
    sort: fixColumns.find((one) => one === column) ?? 'deadline',
    direction: isDescending ? ('descending' as const) : ('ascending' as const),
  };
  const fixes = useQuery({
    queryKey: ['fixes', query],
    queryFn: () => act('listFixes', { query }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <p className="help">{t('fixes.help')}</p>
      <div className="panel card filters">
        <Choice
          id="state"
          label={t('fixes.state')}
          value={query.state}
          options={fixStates.map((one) => ({ value: one, name: t(`fixes.state.${one}`) }))}
          onChange={(value) => filter.change('state', value === 'open' ? '' : value)}
        />
        <Choice
          id="defect"
          label={t('fixes.defect')}
          value={query.defect ?? ''}
          options={[
            { value: '', name: t('fixes.defect.all') },
            ...defects.map((one) => ({ value: one, name: t(`fixes.defect.${one}`) })),
          ]}
          onChange={(value) => filter.change('defect', value)}
        />
      </div>
      <Loaded query={fixes}>
        {(data) => (
          <>
            <Fixes answer={data} sorting={sorting} />
            <LettersPanel letters={data.letters} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Fixes({
  answer: { fixes, count, is_feed_late: isFeedLate },
  sorting: { directionOf, turn },
}: {
  readonly answer: FixesAnswer;
  readonly sorting: ReturnType<typeof useAddressSort>;
}) {
  const header = (column: FixColumn, name: WordKey) => (
    <SortHeader name={t(name)} direction={directionOf(column)} onSort={() => turn(column)} />
  );
  return (
    <>
      {isFeedLate && <p className="notice notice-bad">{t('today.fixes.wait')}</p>}
      <p role="status">
        {count === 0 ? t('fixes.none') : t('fixes.count', { count })}
        {count > fixes.length && ` ${t('fixes.first', { shown: fixes.length })}`}
      </p>
      {count > 0 && (
        <Scroll label={t('fixes.title')} className="scroll card">
          <table className="table">
            <thead>
              <tr>
                {header('deadline', 'fixes.deadline')}
                {header('voter', 'fixes.voter')}
                {header('election', 'fixes.election')}
                {header('defect', 'fixes.defect')}
                <th scope="col">{t('fixes.notified')}</th>
                {header('opened', 'fixes.opened')}
              </tr>
            </thead>
            <tbody>
              {fixes.map((fix) => (
                <Row key={`${fix.voter_id} ${fix.election} ${fix.defect}`} fix={fix} />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </>
  );
}

function Row({ fix }: { fix: Fix }) {
  const { session } = useSession();
  const { deadline, notices, opened_at: openedAt } = fix;
  return (
    <tr>
      <td>{deadline ? formatInstant(deadline, session) : t('fixes.deadline.unknown')}</td>
      <th scope="row">
        <Link href={`/voters/${fix.voter_id}`}>{fix.registration_id}</Link>{' '}
        {fix.is_confidential ? t('voter.confidential') : fix.name}
      </th>
      <td>{fix.election}</td>
      <td>{t(`fixes.defect.${fix.defect}`)}</td>
      <td>
        {notices.length === 0
          ? t(fix.needs_letter ? 'fixes.notified.letter' : 'fixes.notified.none')
          : notices
              .map(({ how, at }) =>
                t('fixes.notified.by', {
                  how: t(noticeNames[how] ?? 'fixes.how.letter'),
                  when: formatInstant(at, session),
                }),
              )
              .join('; ')}
      </td>
      <td>{openedAt ? formatInstant(openedAt, session) : t('fixes.opened.no')}</td>
    </tr>
  );
}
