import { defects } from '@ballot-beacon/contract/ballot-status-progress';
import { type FixesAnswer, fixStates } from '@ballot-beacon/contract/office/fixes';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { Choice } from '../../shell/choice.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { useSession } from '../../shell/session.tsx';
import { formatInstant, formatNumber, t, type WordKey } from '../../words/index.ts';
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
      {session.permissions.includes('voters') && <Queue />}
      <FixReportPanel />
    </>
  );
}

function Queue() {
  const { act } = useSession();
  const [state, setState] = useState<Fix['state']>('open');
  const [defect, setDefect] = useState<Fix['defect'] | undefined>();
  const fixes = useQuery({
    queryKey: ['fixes', state, defect],
    queryFn: () => act('listFixes', { query: { state, defect } }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <p className="help">{t('fixes.help')}</p>
      <div className="panel card filters">
        <Choice
          id="state"
          label={t('fixes.state')}
          value={state}
          options={fixStates.map((one) => ({ value: one, name: t(`fixes.state.${one}`) }))}
          onChange={(value) => setState(fixStates.find((one) => one === value) ?? 'open')}
        />
        <Choice
          id="defect"
          label={t('fixes.defect')}
          value={defect ?? ''}
          options={[
            { value: '', name: t('fixes.defect.all') },
            ...defects.map((one) => ({ value: one, name: t(`fixes.defect.${one}`) })),
          ]}
          onChange={(value) => setDefect(defects.find((one) => one === value))}
        />
      </div>
      <Loaded query={fixes}>{(data) => <Fixes {...data} />}</Loaded>
    </>
  );
}

function Fixes({ fixes, count, is_feed_late: isFeedLate }: FixesAnswer) {
  return (
    <>
      {isFeedLate && <p className="notice notice-bad">{t('today.fixes.wait')}</p>}
      <p role="status">
        {count === 0 ? t('fixes.none') : t('fixes.count', { count })}
        {count > fixes.length && ` ${t('fixes.first', { shown: formatNumber(fixes.length) })}`}
      </p>
      {count > 0 && (
        <div className="scroll card">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{t('fixes.deadline')}</th>
                <th scope="col">{t('fixes.voter')}</th>
                <th scope="col">{t('fixes.election')}</th>
                <th scope="col">{t('fixes.defect')}</th>
                <th scope="col">{t('fixes.notified')}</th>
                <th scope="col">{t('fixes.opened')}</th>
              </tr>
            </thead>
            <tbody>
              {fixes.map((fix) => (
                <Row key={`${fix.voter_id} ${fix.election} ${fix.defect}`} fix={fix} />
              ))}
            </tbody>
          </table>
        </div>
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
