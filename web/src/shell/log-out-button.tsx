import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icons.tsx';
import type { Alert } from './alerts.ts';
import { useSignals } from './signals.ts';
import { useTexts } from './texts.ts';

const loggedOut: Alert = { type: 'success', messages: [{ key: 'app.loggedOut' }] };

export function LogOutButton(look: { look?: 'quiet'; className?: string }) {
  const { t } = useTexts();
  const signals = useSignals();
  return (
    <Button {...look} onClick={() => signals.send({ type: 'LOGOUT', alerts: [loggedOut] })}>
      <Icon name="logOut" className="icon-mirrored" />
      <span>{t('topBar.logOut')}</span>
    </Button>
  );
}
