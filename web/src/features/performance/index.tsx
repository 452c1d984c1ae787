import './performance.css';
import type { Performance } from '@ballot-beacon/contract/performance';
import { useCallback, useEffect, useState } from 'react';
import { call } from '../../api/client.ts';
import { AlertLines } from '../../shell/alert-lines.tsx';
import { oopsAlert } from '../../shell/alerts.ts';
import { useFormats } from '../../shell/formats.ts';
import { StandaloneFrame } from '../../shell/standalone-frame.tsx';
import { SupportNotice } from '../../shell/support-notice.tsx';
import { useTexts } from '../../shell/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { rowsOf } from './rows.ts';

type Outcome = Performance | 'loading' | 'none' | 'failed';

/** How the site and the office's alerts are doing, for anybody. */
export default function PerformancePage() {
  const { t } = useTexts();
  const [outcome, setOutcome] = useState<Outcome>('loading');
  const load = useCallback((signal?: AbortSignal) => {
    setOutcome('loading');
    call('getPerformance', {}, signal).then((answered) => {
      if (signal?.aborted) return;
      if (answered.kind === 'answered') setOutcome(answered.answer);
      else if (answered.kind === 'refused' && answered.problem.status === 404) setOutcome('none');
      else setOutcome('failed');
    });
  }, []);
  useEffect(() => {
    const gone = new AbortController();
    load(gone.signal);
    return () => gone.abort();
  }, [load]);

  return (
    <StandaloneFrame>
      <div className="performance">
        <section className="performance-card card">
          <h1>{t('performance.title')}</h1>
          {outcome === 'loading' ? (
            <Loading text={t('app.loading')} slowText={t('app.loadingSlow')} />
          ) : outcome === 'none' ? (
            <p>{t('performance.noOffice')}</p>
          ) : outcome === 'failed' ? (
            <div role="alert" className="performance-failed">
              <AlertLines alert={oopsAlert()} />
              <Button look="primary" onClick={() => load()}>
                {t('app.retry')}
              </Button>
            </div>
          ) : (
            <Figures of={outcome} />
          )}
        </section>
        <aside>
          <SupportNotice />
        </aside>
      </div>
    </StandaloneFrame>
  );
}

function Figures({ of: { through, data_updated_at: updated, periods } }: { of: Performance }) {
  const { t } = useTexts();
  const formats = useFormats();
  return (
    <>
      <p>{t('performance.intro', { date: formats.words(through) })}</p>
      <p className="performance-updated">
        {updated
          ? t('performance.updated', { time: formats.wordsAndTime(updated) })
          : t('performance.neverUpdated')}
      </p>
      <table>
        <thead>
          <tr>
            <td />
            {periods.map(({ days }) => (
              <th scope="col" key={days}>
                {t('performance.days', { days: formats.number(days) })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rowsOf(periods, t, formats).map(({ key, cells }) => (
            <tr key={key}>
              <th scope="row">{t(key)}</th>
              {cells.map((cell, index) => (
                <td
                  key={periods[index]?.days}
                  data-period={t('performance.days', {
                    days: formats.number(periods[index]?.days ?? 0),
                  })}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p>{t('performance.noteDelivered')}</p>
      <p>{t('performance.noteAvailability')}</p>
      <p>
        <a href="/api/voter/performance">{t('performance.json')}</a>
      </p>
    </>
  );
}
