import { logOutPath } from '@ballot-beacon/contract/pages';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icons.tsx';
import { loggedOutAlert } from './alerts.ts';
import { useSignals } from './signals.ts';
import { useTexts } from './texts.ts';

/** Logs out; by a form of its own while the page's script has not arrived. */
export function LogOutButton(look: { look?: 'quiet'; className?: string }) {
  const { t } = useTexts();
  const signals = useSignals();
  return (
    <form
      className="log-out"
      method="post"
      action={logOutPath}
      onSubmit={(event) => {
        event.preventDefault();
        signals.send({ type: 'LOGOUT', alerts: [loggedOutAlert] });
      }}
    >
      <Button {...look} type="submit">
        <Icon name="logOut" className="icon-mirrored" />
        <span>{t('topBar.logOut')}</span>
      </Button>
    </form>
  );
}
