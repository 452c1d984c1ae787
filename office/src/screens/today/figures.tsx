import type { Permission } from '@ballot-beacon/contract/office/roles';
import type { Today } from '@ballot-beacon/contract/office/today';
import { type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import { ballotsAddress } from '../../shell/ballots-address.ts';
import { useSession } from '../../shell/session.tsx';
import { formatDate, formatNumber, nameOf, statusName, t } from '../../words/index.ts';

interface Row {
  readonly key: string;
  readonly names: readonly string[];
  readonly count: number;
  /** The list of what is counted. */
  readonly address?: string;
}

/** Counts; each that is not zero leads to its list, for those who may open it. */
function Figures({
  title,
  columns,
  rows,
  needs,
}: {
  readonly title: ReactNode;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly needs?: Permission;
}) {
  const id = useId();
  const { session } = useSession();
  const mayOpen = needs !== undefined && session.permissions.includes(needs);
  return (
    <section className="panel card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <table className="table">
        <thead>
          <tr>
            {columns.map((one) => (
              <th key={one} scope="col">
                {one}
              </th>
            ))}
            <th scope="col" className="number">
              {t('table.count')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, names, count, address }) => (
            <tr key={key}>
              {names.map((name) => (
                <td key={name}>{name}</td>
              ))}
              <td className="number">
                {mayOpen && address && count > 0 ? (
                  <Link href={address} aria-label={[...names, formatNumber(count)].join(', ')}>
                    {formatNumber(count)}
                  </Link>
                ) : (
                  formatNumber(count)
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Empty({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <section className="panel card">
      <h2>{title}</h2>
      <p>{text}</p>
    </section>
  );
}

export function Fixes({ fixes }: Pick<Today, 'fixes'>) {
  const rows = (
    [
      ['today.fixes.day', fixes.within_day],
      ['today.fixes.threeDays', fixes.within_three_days],
      ['today.fixes.later', fixes.later],
      ['today.fixes.unknown', fixes.unknown],
    ] as const
  ).map(([key, count]) => ({ key, names: [t(key)], count, address: '/fixes' }));
  if (rows.every(({ count }) => count === 0)) return null;
  return (
    <Figures
      title={<Link href="/fixes">{t('today.fixes')}</Link>}
      columns={[t('today.fixes.left')]}
      rows={rows}
      needs="voters"
    />
  );
}

export function Ballots({ elections }: Pick<Today, 'elections'>) {
  if (elections.length === 0)
    return <Empty title={t('today.ballots')} text={t('today.ballots.none')} />;
  return elections.map(({ number, name, date, ballots }) => {
    const title = `${name}, ${formatDate(date)}`;
    if (ballots.length === 0)
      return <Empty key={number} title={title} text={t('today.ballots.empty')} />;
    return (
      <Figures
        key={number}
        title={title}
        columns={[t('table.status')]}
        rows={ballots.map(({ status, count }) => ({
          key: String(status),
          names: [statusName(status)],
          count,
          address: ballotsAddress(number, status),
        }))}
        needs="voters"
      />
    );
  });
}

export function Messages({
  today: { messages, messages_from: from },
}: {
  readonly today: Pick<Today, 'messages' | 'messages_from'>;
}) {
  if (messages.length === 0)
    return <Empty title={t('today.messages')} text={t('today.messages.none')} />;
  return (
    <Figures
      title={t('today.messages')}
      columns={[t('table.channel'), t('table.outcome')]}
      rows={messages.map(({ channel, outcome, count }) => ({
        key: `${channel} ${outcome}`,
        names: [nameOf('channel', channel), t(`messages.outcome.${outcome}`)],
        count,
        address: `/messages?${new URLSearchParams({ channel, outcome, from })}`,
      }))}
      needs="voters"
    />
  );
}

/** Only counted: who signed in and when is nobody's matter. */
export function SignIns({ signIns }: { readonly signIns: Today['sign_ins'] }) {
  const rows = (
    [
      ['today.signIns.signedIn', signIns.signed_in],
      ['today.signIns.refused', signIns.refused],
      ['today.signIns.locked', signIns.locked],
    ] as const
  ).map(([key, count]) => ({ key, names: [t(key)], count }));
  return <Figures title={t('today.signIns')} columns={[t('table.outcome')]} rows={rows} />;
}
