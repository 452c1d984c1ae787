import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Loaded } from '../../shell/loaded.tsx';
import { useSession } from '../../shell/session.tsx';
import { t } from '../../words/index.ts';
import { RequestsPanel } from './requests.tsx';
import { SessionsPanel } from './sessions.tsx';

/** What an administrator does when somebody misuses the voters' page. */
export function MisuseScreen() {
  const { act, session } = useSession();
  const found = useQuery({ queryKey: ['misuse'], queryFn: () => act('getMisuse', {}) });
  return (
    <>
      <h1>{t('misuse.title')}</h1>
      <p className="help">
        {t('misuse.help')}{' '}
        {session.permissions.includes('log') && (
          <Link href="/log?area=security">{t('misuse.log')}</Link>
        )}
      </p>
      <Loaded query={found}>
        {({ requests, sessions }) => (
          <>
            <RequestsPanel requests={requests} />
            <SessionsPanel count={sessions} />
          </>
        )}
      </Loaded>
    </>
  );
}
