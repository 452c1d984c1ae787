import './remember.css';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ProgressData } from '../../api/critical-data.ts';
import { useFormats } from '../../shell/formats.ts';
import {
  canKeepStatus,
  discardStatus,
  type KeptPage,
  keepStatus,
  renewStatus,
} from '../../shell/kept-status.ts';
import { usePage } from '../../shell/page-context.ts';
import { useTexts } from '../../shell/texts.ts';
import type { writeKeptPage as WriteKeptPage } from './kept-page.ts';

type Kept = 'unknown' | 'impossible' | 'no' | 'yes' | 'failed';

/**
 * Lets a voter keep the last status on this device, to be read without a connection. Nothing is kept otherwise. Until it is known
 * whether one is kept, the choice has its place and is out of sight: nothing below it moves when it comes.
 */
export function Remember({ voterId, data }: { voterId: number; data: ProgressData }) {
  const { t } = useTexts();
  const [kept, setKept] = useState<Kept>('unknown');
  const page = useKeptPage(data);
  const choices = useRef(0);

  /** Shows what came of work that begins now, unless the voter chooses meanwhile: then it is no longer so. */
  const untilNextChoice = useCallback(() => {
    const before = choices.current;
    return (find: (now: Kept) => Kept) => {
      if (choices.current === before) setKept(find);
    };
  }, []);

  // What is kept follows what is shown.
  useEffect(() => {
    if (!canKeepStatus()) return setKept('impossible');
    if (!page) return;
    const show = untilNextChoice();
    renewStatus(voterId, page).then(
      (isKept) => show((now) => (isKept ? 'yes' : now === 'failed' ? now : 'no')),
      () => show((now) => (now === 'yes' ? 'failed' : 'unknown')),
    );
  }, [voterId, page, untilNextChoice]);

  if (kept === 'impossible') return null;
  const choose = (isWanted: boolean) => {
    if (!page) return;
    choices.current += 1;
    setKept(isWanted ? 'yes' : 'no');
    const show = untilNextChoice();
    const done = isWanted ? keepStatus(voterId, page) : discardStatus();
    done.catch(() => show(() => 'failed'));
  };
  return (
    <div className="remember" data-is-known={kept !== 'unknown'}>
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

/** What would be kept of `data`; undefined until the script that writes it is here, which no page that was just opened needs. */
function useKeptPage(data: ProgressData): KeptPage | undefined {
  const { t, language } = useTexts();
  const formats = useFormats();
  const { branding } = usePage();
  const [write, setWrite] = useState<typeof WriteKeptPage>();
  useEffect(() => {
    import('./kept-page.ts').then(
      ({ writeKeptPage }) => setWrite(() => writeKeptPage),
      () => {}, // offered at the next visit
    );
  }, []);
  return useMemo(
    () => write?.(data, { language, t, formats, branding }),
    [write, data, language, t, formats, branding],
  );
}
