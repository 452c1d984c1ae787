import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Button } from '../../../web/src/ui/button.tsx';
import { t } from '../words/index.ts';

/** The browser's own modal dialog: it keeps the focus, and Escape closes it. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Closed before it is taken away: only then does the browser give the focus back to where it was.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog className="dialog card" ref={dialog} aria-labelledby={id} onCancel={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
      <Button look="quiet" onClick={onClose}>
        {t('app.cancel')}
      </Button>
    </dialog>
  );
}
