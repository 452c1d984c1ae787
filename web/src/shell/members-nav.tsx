import './members-nav.css';
import { Link } from 'wouter';
import { Icon } from '../ui/icons.tsx';
import { useSession } from './session-context.ts';
import { useTexts } from './texts.ts';

/** The two places of a signed-in voter; nothing where the office sends no alerts. @param screen its name in the routes */
export function MembersNav({ screen }: { screen: string }) {
  const { t } = useTexts();
  const offered = useSession()?.delivery_types._embedded.delivery_type ?? [];
  if (offered.length === 0) return null;
  const item = (to: string, icon: 'envelope' | 'message', key: string) => (
    <li>
      <Link href={`/${to}`} aria-current={screen === to ? 'page' : undefined}>
        <Icon name={icon} />
        {t(key)}
      </Link>
    </li>
  );
  return (
    <nav className="members-nav">
      <ul>
        {item('dashboard', 'envelope', 'nav.ballot')}
        {item('preferences', 'message', 'nav.alerts')}
      </ul>
    </nav>
  );
}
