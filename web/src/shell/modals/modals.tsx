import './modals.css';
import { type ComponentType, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Loading } from '../../ui/loading.tsx';
import { useTexts } from '../texts.ts';
import { useRegion } from '../use-region.ts';
import type { ModalContentProps } from './content.tsx';
import { type ModalName, modalsMachine } from './modals.machine.ts';

const titles: Record<ModalName, string> = {
  faq: 'faq.title',
  privacy: 'privacy.title',
  smsPolicy: 'smsTerms.title',
  releaseNotes: 'releaseNotes.title',
  unsubscribeFromAll: 'modal.optOut.title',
};

/** The dialog over the page, if any. What is in it is fetched when the first one opens. */
export function Modals() {
  const [state, region] = useRegion(modalsMachine);
  const { modal } = state.context;
  if (!modal) return null;
  return <Modal modal={modal} onClose={() => region.send({ type: 'CLOSE_MODAL' })} key={modal} />;
}

/**
 * The browser's own modal dialog: it keeps the focus inside, closes on Escape and gives the focus back to what
 * opened it.
 */
function Modal({ modal, onClose }: { modal: ModalName; onClose: () => void }) {
  const { t } = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const isQuestion = modal === 'unsubscribeFromAll';

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  const close = () => dialog.current?.close();
  return (
    <dialog
      className="modal"
      ref={dialog}
      role={isQuestion ? 'alertdialog' : undefined}
      aria-labelledby="modal-title"
      aria-describedby={isQuestion ? 'modal-text' : undefined}
      onClose={onClose}
      // A press beside the dialog closes it, where the browser knows how; never for a question.
      {...{ closedby: isQuestion ? 'closerequest' : 'any' }}
    >
      <div className="modal-head">
        <h2 id="modal-title">{t(titles[modal])}</h2>
        <Button look="quiet" className="modal-close" aria-label={t('modal.close')} onClick={close}>
          <Icon name="close" />
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what it can focus */}
      <section className="modal-body" aria-labelledby="modal-title" tabIndex={0}>
        <Content modal={modal} close={close} />
      </section>
    </dialog>
  );
}

function Content(props: ModalContentProps) {
  const { t } = useTexts();
  const [Loaded, setLoaded] = useState<ComponentType<ModalContentProps> | null>(null);
  const [tries, setTries] = useState(1);
  const [failedTries, setFailedTries] = useState(0);
  useEffect(() => {
    import('./content.tsx').then(
      ({ ModalContent }) => setLoaded(() => ModalContent),
      () => setFailedTries(tries),
    );
  }, [tries]);

  if (Loaded) return <Loaded {...props} />;
  if (failedTries === tries)
    return (
      <div className="modal-failed" role="alert">
        <p>{t('modal.failed')}</p>
        <Button onClick={() => setTries(tries + 1)}>{t('app.retry')}</Button>
      </div>
    );
  return <Loading text={t('app.loading')} slowText={t('app.loadingSlow')} />;
}
