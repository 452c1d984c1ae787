import './dashboard.css';
import type { CriticalData } from '@ballot-beacon/contract/bootstrap';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { SupportNotice } from '../../shell/support-notice.tsx';
import { useTexts } from '../../shell/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { BallotCard } from './ballot-card.tsx';
import { PastBallots } from './past-ballots.tsx';
import { createQueryClient, usePastBallots, useProgress } from './queries.ts';

export default function DashboardPage({ critical }: { critical: CriticalData }) {
  const [client] = useState(createQueryClient);
  useEffect(() => () => client.clear(), [client]);
  return (
    <QueryClientProvider client={client}>
      <Dashboard critical={critical} />
    </QueryClientProvider>
  );
}

function Dashboard({ critical }: { critical: CriticalData }) {
  const { t, language } = useTexts();
  const progress = useProgress(language, critical);
  const past = usePastBallots(language);
  const data = progress.data ?? critical;
  const { ballots, as_of } = data.progress;
  const current = ballots.filter((ballot) => ballot.election.election_is_active);

  return (
    <div className="dashboard">
      <div className="dashboard-main">
        <div className="dashboard-heading">
          <h1>{t('dashboard.current')}</h1>
          <p>
            <bdi>
              {t('dashboard.hello', { name: critical.voter.firstname || critical.voter.lastname })}
            </bdi>
          </p>
        </div>
        {current.length > 0
          ? current.map((ballot) => <BallotCard ballot={ballot} key={ballot.ballot_id} />)
          : data.no_ballot_status && (
              <section className="no-ballot card">
                <Icon name="envelope" />
                <h2>{data.no_ballot_status.title}</h2>
                <p>{data.no_ballot_status.description}</p>
              </section>
            )}
        {as_of && <AsOf when={as_of} isOld={progress.isError} />}
        {past.data && <PastBallots ballots={past.data} />}
      </div>
      <aside className="dashboard-side">
        <SupportNotice />
        <Button className="print" onClick={() => window.print()}>
          <Icon name="printer" />
          {t('dashboard.print')}
        </Button>
        <p className="promise">
          <Icon name="shield" />
          {t('app.promise')}
        </p>
      </aside>
    </div>
  );
}

/** Says how fresh the news is, and when it could not be renewed. */
function AsOf({ when, isOld }: { when: string; isOld: boolean }) {
  const { t, formats } = useTexts();
  return (
    <p className="as-of">
      <strong suppressHydrationWarning>
        {t(isOld ? 'app.offlineShown' : 'dashboard.asOf', { time: formats.dateTime(when) })}
      </strong>{' '}
      {t('dashboard.asOfHint')}
    </p>
  );
}
