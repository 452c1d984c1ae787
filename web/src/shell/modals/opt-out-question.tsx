import { Button } from '../../ui/button.tsx';
import { useSession } from '../session-context.ts';
import { useSignals } from '../signals.ts';
import { useTexts } from '../texts.ts';

/** The last question before a voter gets no more messages. The preferences form does what the voter answers. */
export function OptOutQuestion({ close }: { close: () => void }) {
  const { t } = useTexts();
  const signals = useSignals();
  // Without proof the addresses stay, so that a code can still go to one of them.
  const isHidden = useSession()?.voter.hidden_contacts !== undefined;
  return (
    <>
      <p id="modal-text">{t(isHidden ? 'contactProof.stopText' : 'modal.optOut.text')}</p>
      <div className="modal-buttons">
        <Button onClick={close}>{t('modal.optOut.cancel')}</Button>
        <Button
          look="primary"
          className="modal-opt-out"
          onClick={() => {
            close();
            signals.send({ type: 'OPT_OUT_OF_ALL' });
          }}
        >
          {t('preferences.optOutOfAll')}
        </Button>
      </div>
    </>
  );
}
