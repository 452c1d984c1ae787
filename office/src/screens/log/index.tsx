import { officeCalls } from '@ballot-beacon/contract/office/calls';
import { type LogAnswer, LogQuery, logAreaNames } from '@ballot-beacon/contract/office/log';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useAddressFilter } from '../../shell/address-filter.ts';
import { Choice } from '../../shell/choice.tsx';
import { DayField } from '../../shell/day-field.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { Pager } from '../../shell/pager.tsx';
import { useSession } from '../../shell/session.tsx';
import { actionName, formatInstant, t } from '../../words/index.ts';

type Entry = LogAnswer['entries'][number];
type Filter = ReturnType<typeof useAddressFilter>;

/** Who did what in the office. The filter and the page are in the address. */
export function LogScreen() {
  const { act } = useSession();
  const filter = useAddressFilter('/log');
  const { data: query } = LogQuery.safeParse(filter.query);
  const log = useQuery({
    queryKey: ['log', query],
    queryFn: () => act('listLog', { query: query ?? {} }),
    placeholderData: keepPreviousData,
  });
  const { before: _, ...exported } = filter.query;
  return (
    <>
      <h1>{t('log.title')}</h1>
      <p className="help">{t('log.help')}</p>
      <div className="panel card filters">
        <Choice
          id="area"
          label={t('log.area')}
          value={filter.valueOf('area')}
          options={[
            { value: '', name: t('log.area.all') },
            ...logAreaNames.map((one) => ({ value: one, name: t(`log.area.${one}`) })),
          ]}
          onChange={(area) => filter.change('area', area)}
        />
        {(['from', 'to'] as const).map((name) => (
          <DayField
            key={name}
            id={name}
            label={t(`log.${name}`)}
            value={filter.valueOf(name)}
            onChange={(day) => filter.change(name, day)}
          />
        ))}
        {/* A link, so that the browser saves the file as it comes. */}
        <a href={`${officeCalls.downloadLog.path}?${new URLSearchParams(exported)}`} download>
          {t('log.download')}
        </a>
      </div>
      {filter.valueOf('actor') !== '' && (
        <p>
          <Link href={filter.hrefOf('actor', null)}>{t('log.by.all')}</Link>
        </p>
      )}
      <Loaded query={log}>
        {({ entries, next }) => (
          <>
            {entries.length === 0 ? (
              <p role="status">{t('log.none')}</p>
            ) : (
              <Entries entries={entries} filter={filter} />
            )}
            <Pager filter={filter} next={next} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Entries({ entries, filter }: { readonly entries: Entry[]; readonly filter: Filter }) {
  const { session } = useSession();
  return (
    <div className="scroll card">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('log.when')}</th>
            <th scope="col">{t('log.who')}</th>
            <th scope="col">{t('log.action')}</th>
            <th scope="col">{t('log.target')}</th>
            <th scope="col">{t('log.details')}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.audit_id}>
              <td>{formatInstant(entry.at, session)}</td>
              <td>
                <Link
                  href={filter.hrefOf('actor', entry.actor)}
                  aria-label={t('log.by', { who: entry.who })}
                >
                  {entry.who}
                </Link>
              </td>
              <td>{actionName(entry.action)}</td>
              <td>{entry.target}</td>
              <td className="soft">
                {entry.details.map(({ name, value }) => (
                  <span key={name} className="log-detail">
                    {name.replaceAll('_', ' ')}: {value}
                  </span>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
