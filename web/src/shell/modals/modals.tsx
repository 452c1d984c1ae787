import './modals.css';
import { useEffect, useState } from 'react';
import { Loading } from '../../ui/loading.tsx';
import { oopsAlert } from '../alerts.ts';
import { useSignals } from '../signals.ts';
import { useTexts } from '../texts.ts';
import { useRegion } from '../use-region.ts';
import type { Modal } from './modal.tsx';
import { modalsMachine } from './modals.machine.ts';

/** The dialog over the page, if any. Its script is fetched when the first one opens. */
export function Modals() {
  const { t } = useTexts();
  const signals = useSignals();
  const [state, region] = useRegion(modalsMachine);
  const [Dialog, setDialog] = useState<typeof Modal>();
  const { modal } = state.context;
  const isAwaited = modal !== null && !Dialog;

  useEffect(() => {
    if (!isAwaited) return;
    import('./modal.tsx').then(
      ({ Modal }) => setDialog(() => Modal),
      () => {
        region.send({ type: 'CLOSE_MODAL' });
        signals.send({ type: 'UPDATE_GLOBAL_ALERTS', alerts: [oopsAlert()] });
      },
    );
  }, [isAwaited, region, signals]);

  if (!modal) return null;
  if (!Dialog)
    return (
      <div className="modal-wait">
        <div className="card">
          <Loading text={t('app.loading')} slowText={t('app.loadingSlow')} />
        </div>
      </div>
    );
  return <Dialog modal={modal} onClose={() => region.send({ type: 'CLOSE_MODAL' })} key={modal} />;
}
