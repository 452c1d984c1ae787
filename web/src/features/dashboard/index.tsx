import './dashboard.css';
import type { Ballot } from '@ballot-beacon/contract/ballot-status-progress';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ProgressData, SessionData } from '../../api/critical-data.ts';
import { useFormats } from '../../shell/formats.ts';
import { offeredChannels } from '../../shell/offered-channels.ts';
import { useFlag, usePage } from '../../shell/page-context.ts';
import { useSignals } from '../../shell/signals.ts';
import { SupportNotice } from '../../shell/support-notice.tsx';
import { useTexts } from '../../shell/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { BallotCard } from './ballot-card.tsx';
import { BallotTabs } from './ballot-tabs.tsx';
import { News } from './news.tsx';
import { PastBallots } from './past-ballots.tsx';
import { createQueryClient, usePastBallots, useProgress } from './queries.ts';
import { Remember } from './remember.tsx';
import { ServerTime } from './server-time.tsx';
import { iconOfStatus } from './status-look.ts';
import { type BallotTab, useBallotTab } from './use-ballot-tab.ts';

interface DashboardProps {
  critical: SessionData;
  /** The contact preferences, which stand beside the ballots. */
  preferences: ReactNode;
}

export default function DashboardPage(props: DashboardProps) {
  const [client] = useState(createQueryClient);
  useEffect(() => () => client.clear(), [client]);
  return (
    <QueryClientProvider client={client}>
      <Dashboard {...props} />
    </QueryClientProvider>
  );
}

function Dashboard({ critical, preferences }: DashboardProps) {
  const { t, language } = useTexts();
  const signals = useSignals();
  const isTabbed = useFlag('tabbedBallots');
  const progress = useProgress(language, critical);
  const past = usePastBallots(language);
  const pastCount = past.data?.length;
  const main = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (pastCount !== undefined) signals.send({ type: 'PAST_BALLOTS', count: pastCount });
  }, [signals, pastCount]);

  const reveal = (tab: BallotTab) => {
    const previous = document.querySelector<HTMLElement>('.past');
    const target = tab === 'previous' && !isTabbed && previous ? previous : main.current;
    target?.scrollIntoView({ block: 'start' });
    target?.focus({ preventScroll: true });
  };
  const [shown, choose] = useBallotTab(reveal, !past.isPending);

  const offered = offeredChannels(critical, usePage().branding);
  // Nothing comes by a way that the office has given up.
  const hasSignedUp = offered.some((channel) => critical.voter[`${channel}_opt_in`]);

  const current = <CurrentBallots data={progress.data} isOld={progress.isError} />;
  return (
    <div className="dashboard">
      <div className="dashboard-main" ref={main} tabIndex={-1}>
        <div className="dashboard-heading">
          <h1>{t(isTabbed ? 'title.dashboard' : 'dashboard.current')}</h1>
          <p>
            <bdi>
              {t('dashboard.hello', { name: critical.voter.firstname || critical.voter.lastname })}
            </bdi>
          </p>
          {offered.length > 0 && !hasSignedUp && (
            <a className="dashboard-sign-up" href="#contact-preferences">
              <Icon name="envelope" />
              {t('dashboard.alerts')}
            </a>
          )}
        </div>
        <News ballots={progress.data.progress.ballots} />
        {isTabbed ? (
          <BallotTabs
            shown={shown}
            onChoose={choose}
            panels={{
              current,
              previous: past.data && <PastBallots ballots={past.data} isAlone />,
            }}
          />
        ) : (
          current
        )}
      </div>
      <aside className="dashboard-side" aria-label={t('dashboard.side')}>
        {critical.voter.is_confidential && (
          <p className="dashboard-confidential card">{t('dashboard.confidential')}</p>
        )}
        <SupportNotice />
        {preferences}
        {/* Of no use to a voter whom nobody may find. */}
        {!critical.voter.is_confidential && (
          <Remember voterId={critical.voter.voter_id} data={progress.data} />
        )}
        <Button className="print" onClick={() => window.print()}>
          <Icon name="printer" />
          {t('dashboard.print')}
        </Button>
      </aside>
      {/* They come late: on a phone everything that stood below them would move under the voter's finger. */}
      {!isTabbed && past.data && <PastBallots ballots={past.data} />}
    </div>
  );
}

/** The ballots of elections that are on, or what stands in their place, and how fresh the news is. */
function CurrentBallots({ data, isOld }: { data: ProgressData; isOld: boolean }) {
  const { ballots, as_of } = data.progress;
  const current = ballots.filter((ballot) => ballot.election.election_is_active);
  return (
    <ServerTime data={data}>
      {current.length > 1 && <Several ballots={current} />}
      {current.length > 0
        ? current.map((ballot) => <BallotCard ballot={ballot} key={ballot.ballot_id} />)
        : data.no_ballot_status && (
            <section className="no-ballot card">
              <Icon name="envelope" />
              <h2>{data.no_ballot_status.title}</h2>
              <p>{data.no_ballot_status.description}</p>
            </section>
          )}
      {as_of && <AsOf when={as_of} isOld={isOld} />}
    </ServerTime>
  );
}

/** Each ballot in a line, above them all. */
function Several({ ballots }: { ballots: readonly Ballot[] }) {
  const { t } = useTexts();
  return (
    <nav className="several" aria-label={t('dashboard.several')}>
      <ul>
        {ballots.map(({ ballot_id: id, election, status_summary: { current_status: current } }) => (
          <li key={id}>
            <a href={`#card-${id}`}>
              <Icon name={iconOfStatus(current.status)} />
              <span>
                <bdi>{election.election_name}</bdi>: <strong>{current.display_name}</strong>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Says how fresh the news is, and why it could not be renewed. */
function AsOf({ when, isOld }: { when: string; isOld: boolean }) {
  const { t } = useTexts();
  const { branding } = usePage();
  const formats = useFormats();
  const old = globalThis.navigator?.onLine === false ? 'app.offlineShown' : 'app.serverAwayShown';
  return (
    <p className="as-of">
      <strong suppressHydrationWarning>
        {t(isOld ? old : 'dashboard.asOf', {
          // A name of Latin letters would take the day of an Arabic line with it.
          county: `\u2068${branding.county || branding.name}\u2069`,
          time: formats.wordsAndTime(when),
        })}
      </strong>
    </p>
  );
}
