import './remember.css';
import { useEffect, useMemo, useState } from 'react';
import type { ProgressData } from '../../api/critical-data.ts';
import { useFormats } from '../../shell/formats.ts';
import { canKeepStatus, discardStatus, keepStatus, renewStatus } from '../../shell/kept-status.ts';
import { usePage } from '../../shell/page-context.ts';
import { useTexts } from '../../shell/texts.ts';
import { writeKeptPage } from './kept-page.ts';

type Kept = 'unknown' | 'no' | 'yes' | 'failed';

/** Lets a voter keep the last status on this device, to be read without a connection. Nothing is kept otherwise. */
export default function Remember({ voterId, data }: { voterId: number; data: ProgressData }) {
  const { t, language } = useTexts();
  const formats = useFormats();
  const { branding } = usePage();
  const [kept, setKept] = useState<Kept>('unknown');
  const page = useMemo(
    () => writeKeptPage(data, { language, t, formats, branding }),
    [data, language, t, formats, branding],
  );

  // What is kept follows what is shown.
  useEffect(() => {
    if (!canKeepStatus()) return;
    renewStatus(voterId, page).then(
      (isKept) => setKept((now) => (isKept ? 'yes' : now === 'failed' ? now : 'no')),
      () => setKept((now) => (now === 'yes' ? 'failed' : 'unknown')),
    );
  }, [voterId, page]);

  if (kept === 'unknown') return null;
  const choose = (isWanted: boolean) => {
    setKept(isWanted ? 'yes' : 'no');
    const done = isWanted ? keepStatus(voterId, page) : discardStatus();
    done.catch(() => setKept('failed'));
  };
  return (
    <div className="remember">
      <label className="choice">
        <input
          type="checkbox"
          checked={kept === 'yes'}
          aria-describedby="remember-hint"
          onChange={(event) => choose(event.currentTarget.checked)}
        />
        <span>{t('remember.label')}</span>
      </label>
      <p id="remember-hint">{t('remember.hint')}</p>
      <p role="status">{kept === 'failed' && t('remember.failed')}</p>
    </div>
  );
}
