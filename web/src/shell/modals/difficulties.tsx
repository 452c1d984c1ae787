import { Button } from '../../ui/button.tsx';
import { useTexts } from '../texts.ts';

export function Difficulties({ onRetry }: { onRetry: () => void }) {
  const { t } = useTexts();
  return (
    <div className="modal-failed" role="alert">
      <p>{t('modal.failed')}</p>
      <Button onClick={onRetry}>{t('app.retry')}</Button>
    </div>
  );
}
