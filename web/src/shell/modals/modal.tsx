import { useLayoutEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useTexts } from '../texts.ts';
import { FaqText } from './faq-text.tsx';
import type { ModalName } from './modals.machine.ts';
import { OptOutQuestion } from './opt-out-question.tsx';
import { PrivacyText } from './privacy-text.tsx';
import { ReleaseNotes } from './release-notes.tsx';
import { SmsTermsText } from './sms-terms-text.tsx';

const titles: Record<ModalName, string> = {
  faq: 'faq.title',
  privacy: 'privacy.title',
  smsPolicy: 'smsTerms.title',
  releaseNotes: 'releaseNotes.title',
  unsubscribeFromAll: 'modal.optOut.title',
};

interface ModalProps {
  modal: ModalName;
  /** Out of sight for now, with all that it shows kept. */
  isCovered: boolean;
  onClose: () => void;
}

/**
 * The browser's own modal dialog: it keeps the focus inside, closes on Escape and gives the focus back to what
 * opened it.
 */
export function Modal({ modal, isCovered, onClose }: ModalProps) {
  const { t } = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const isQuestion = modal === 'unsubscribeFromAll';

  useLayoutEffect(() => {
    if (isCovered) return;
    const element = dialog.current;
    element?.showModal();
    // The safe answer to a question. (React's autoFocus came before the dialog was open.)
    element?.querySelector<HTMLElement>('.modal-buttons .button')?.focus();
    return () => element?.close();
  }, [isCovered]);

  const close = () => dialog.current?.close();
  // The browser says so a moment later: by then it may be open again.
  const closed = () => {
    if (!isCovered && !dialog.current?.open) onClose();
  };
  return (
    <dialog
      className="modal"
      ref={dialog}
      role={isQuestion ? 'alertdialog' : undefined}
      aria-labelledby="modal-title"
      aria-describedby={isQuestion ? 'modal-text' : undefined}
      onClose={closed}
      // A click outside the dialog closes it, where the browser supports that, but never a question.
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
        {contentOf(modal, close)}
      </section>
    </dialog>
  );
}

function contentOf(modal: ModalName, close: () => void) {
  switch (modal) {
    case 'faq':
      return <FaqText />;
    case 'privacy':
      return <PrivacyText heading="h3" />;
    case 'smsPolicy':
      return <SmsTermsText />;
    case 'releaseNotes':
      return <ReleaseNotes />;
    case 'unsubscribeFromAll':
      return <OptOutQuestion close={close} />;
  }
}
