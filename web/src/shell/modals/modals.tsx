import './modals.css';
import { useEffect, useRef, useState } from 'react';
import { Loading } from '../../ui/loading.tsx';
import { oopsAlert } from '../alerts.ts';
import { allTexts } from '../more-texts.ts';
import { useSignals } from '../signals.ts';
import { useTexts } from '../texts.ts';
import { useRegion } from '../use-region.ts';
import type { Modal } from './modal.tsx';
import { pages } from './modal-links.tsx';
import { modalsMachine } from './modals.machine.ts';

/** The dialog over the page, if any. Its script is fetched when the first one opens. */
export function Modals() {
  const { t } = useTexts();
  const signals = useSignals();
  const [state, region] = useRegion(modalsMachine);
  const [Dialog, setDialog] = useState<typeof Modal>();
  const { modal, openings, isCovered } = state.context;
  const isAwaited = modal !== null && !Dialog;
  const hasFailed = useRef(false);

  useEffect(() => {
    if (!isAwaited) return;
    Promise.all([import('./modal.tsx'), allTexts()]).then(
      ([{ Modal }]) => setDialog(() => Modal),
      () => {
        region.send({ type: 'CLOSE_MODAL' });
        // A browser may never fetch a script again that failed once: load the page with the same words, or this page again.
        const page = modal && pages[modal];
        if (navigator.onLine && page) return location.assign(page);
        if (navigator.onLine && hasFailed.current) return location.reload();
        hasFailed.current = true;
        signals.send({ type: 'UPDATE_GLOBAL_ALERTS', alerts: [oopsAlert()] });
      },
    );
  }, [isAwaited, modal, region, signals]);

  if (!modal) return null;
  if (!Dialog)
    return (
      <div className="modal-wait">
        <div className="card">
          <Loading text={t('app.loading')} slowText={t('app.loadingSlow')} />
        </div>
      </div>
    );
  const close = () => region.send({ type: 'CLOSE_MODAL' });
  return <Dialog modal={modal} isCovered={isCovered} onClose={close} key={openings} />;
}
