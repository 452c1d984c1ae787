import { Component, type ReactNode } from 'react';
import { useTexts } from '../shell/texts.ts';
import { Button } from '../ui/button.tsx';

/** A screen that breaks, or whose script cannot be fetched, says so and offers a way on; the frame stays. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? <Broken /> : this.props.children;
  }
}

function Broken() {
  const { t } = useTexts();
  return (
    <section className="message-page card" role="alert">
      <p>{t('app.oops')}</p>
      <Button look="primary" onClick={() => location.reload()}>
        {t('app.retry')}
      </Button>
    </section>
  );
}
