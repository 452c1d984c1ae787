import { officeCalls } from '@ballot-beacon/contract/office/calls';
import { useState } from 'react';
import { t } from '../../words/index.ts';

/** An election's ballots as a picture, shown and to download. */
export function Chart({
  filter,
  election,
}: {
  /** Of the report, as in its address. */
  filter: Readonly<Record<string, string>>;
  /** Its name; undefined while none is chosen. */
  election: string | undefined;
}) {
  if (election === undefined) return <p className="help">{t('reports.chart.choose')}</p>;
  const { report: _, ...chosen } = filter;
  const search = new URLSearchParams(chosen);
  return (
    <section className="panel card" aria-labelledby="chart">
      <h2 id="chart">{t('reports.chart')}</h2>
      <Picture
        key={`${search}`}
        address={`${officeCalls.downloadChart.path}?${search}`}
        text={t('reports.chart.alt', { election })}
      />
      <p className="buttons">
        <a href={`${officeCalls.downloadChart.path}?${search}`} download>
          {t('reports.chart.svg')}
        </a>{' '}
        <a href={`${officeCalls.downloadChartPng.path}?${search}`} download>
          {t('reports.chart.png')}
        </a>{' '}
        <a href={`${officeCalls.downloadChartPdf.path}?${search}`} download>
          {t('reports.chart.pdf')}
        </a>
      </p>
    </section>
  );
}

function Picture({ address, text }: { address: string; text: string }) {
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  if (state === 'failed') return <p role="alert">{t('reports.chart.failed')}</p>;
  return (
    <>
      {state === 'loading' && <p role="status">{t('reports.chart.loading')}</p>}
      <img
        className="report-chart"
        src={address}
        alt={text}
        onLoad={() => setState('shown')}
        onError={() => setState('failed')}
      />
    </>
  );
}
