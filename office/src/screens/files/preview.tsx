import type { UploadPreview } from '@ballot-beacon/contract/office/uploads';
import { Finish } from '../../shell/finish.tsx';
import { Scroll } from '../../shell/scroll.tsx';
import { useSession } from '../../shell/session.tsx';
import {
  formatInstant,
  formatNumber,
  languageName,
  nameOf,
  statusName,
  t,
} from '../../words/index.ts';
import { Counts, Notes, Refusals, Rows } from './report-panels.tsx';

/** What a file would do, and what the gate says. Nothing of it has happened. */
export function Preview({ preview }: { preview: UploadPreview }) {
  const { session } = useSession();
  return (
    <>
      <Outcome preview={preview} />
      <p className="soft">
        {t('upload.checkedAt', { at: formatInstant(preview.checked_at, session) })}
      </p>
      <div className="panels">
        <Rows rows={preview.rows} />
        <Counts
          report={preview}
          after={preview.outcome === 'waits' ? 'file.counts.ifApproved' : 'upload.counts.after'}
        />
        <RefusedRows rows={preview.refused_rows} />
        {preview.refused_rows.length === 0 && <Refusals refusals={preview.refusals} />}
        <Samples samples={preview.samples} />
        <Messages preview={preview} />
        <Notes report={preview} />
      </div>
    </>
  );
}

const looks = {
  ready: 'notice-good',
  waits: '',
  'nothing-new': '',
  refused: 'notice-bad',
} as const;

function Outcome({ preview }: { preview: UploadPreview }) {
  const { outcome, reasons, message_reasons: messageReasons } = preview;
  const why = [preview.refused_because, ...reasons].filter((one) => one !== null);
  return (
    <div className={`notice ${looks[outcome]}`} role="status">
      <p>{t(`upload.outcome.${outcome}`)}</p>
      <Reasons reasons={why} />
      {messageReasons.length > 0 && <p>{t('upload.messagesWait')}</p>}
      <Reasons reasons={messageReasons} />
    </div>
  );
}

function Reasons({ reasons }: { reasons: readonly string[] }) {
  if (reasons.length === 0) return null;
  return (
    <ul>
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
}

function RefusedRows({ rows }: { rows: UploadPreview['refused_rows'] }) {
  if (rows.length === 0) return null;
  return (
    <section className="panel panel-wide card">
      <h2>{t('file.refusals')}</h2>
      <p className="help">{t('upload.refused.help')}</p>
      <Scroll label={t('file.refusals')}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col" className="number">
                {t('file.example.line')}
              </th>
              <th scope="col">{t('upload.refused.column')}</th>
              <th scope="col">{t('upload.refused.value')}</th>
              <th scope="col">{t('file.refusals.reason')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ line, column, value, reason }) => (
              <tr key={line}>
                <td className="number">{formatNumber(line)}</td>
                <td>{column ?? '–'}</td>
                <td>{value === null || value === '' ? '–' : value}</td>
                <td>{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

function Samples({ samples }: { samples: UploadPreview['samples'] }) {
  if (samples.length === 0) return null;
  return (
    <section className="panel panel-wide card">
      <h2>{t('upload.samples')}</h2>
      <Scroll label={t('upload.samples')}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('file.example.voter')}</th>
              <th scope="col">{t('upload.samples.name')}</th>
              <th scope="col">{t('upload.samples.changes')}</th>
            </tr>
          </thead>
          <tbody>
            {samples.map(({ voter, name, changes }) => (
              <tr key={`${voter} ${changes[0]?.what}`}>
                <th scope="row">{voter}</th>
                <td>{name || t('voter.confidential')}</td>
                <td>
                  {changes.map(({ what, from, to }) => (
                    <div key={what}>
                      <span className="soft">{what}: </span>
                      {from ? statusName(from) : '–'} → {to ? statusName(to) : '–'}
                    </div>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

function Messages({ preview }: { preview: UploadPreview }) {
  const { messages, finish } = preview;
  if (preview.holds === 'voters') return null;
  const count = messages.reduce((sum, one) => sum + one.count, 0);
  return (
    <section className="panel panel-wide card">
      <h2>{t('upload.messages')}</h2>
      <p>
        {count === 0 ? t('upload.messages.none') : t('upload.messages.count', { count })}{' '}
        {finish && <Finish finish={finish} />}
      </p>
      {messages.map(({ about, channel, language, count: of, subject, text }) => (
        <details key={`${about} ${channel} ${language}`}>
          <summary>
            {t('upload.messages.kind', {
              about: statusName(about),
              channel: nameOf('channel', channel),
              language: languageName(language),
              number: of,
            })}
          </summary>
          {subject && <p className="message-subject">{subject}</p>}
          <p className="lines">{text}</p>
        </details>
      ))}
    </section>
  );
}
