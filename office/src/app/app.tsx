import type { OfficeSession } from '@ballot-beacon/contract/office/people';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { Router } from 'wouter';
import { Button } from '../../../web/src/ui/button.tsx';
import { Loading } from '../../../web/src/ui/loading.tsx';
import { CallError, call } from '../api/client.ts';
import { providerPaths } from '../shell/provider.ts';
import { SessionProvider } from '../shell/session.tsx';
import { SignIn } from '../shell/sign-in.tsx';
import { announceSignIn } from '../shell/sign-ins.ts';
import { onSignOut } from '../shell/sign-out.ts';
import { t } from '../words/index.ts';
import { InvitationDoor } from './invitation.tsx';
import { ProviderEnd, ProviderStart } from './provider-doors.tsx';
import { Screens } from './screens.tsx';

const sessionKey = ['session'];

/** The console: the door for somebody who is not signed in, the screens for a person of this office. */
export function App() {
  const queries = useQueryClient();
  const session = useQuery({
    queryKey: sessionKey,
    queryFn: () =>
      call('getOfficeSession', {}).catch((error: unknown) => {
        if (error instanceof CallError && error.status === 401) return null;
        throw error;
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const options = useQuery({
    queryKey: ['options'],
    queryFn: () => call('getOfficeOptions', {}),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [signedOut, setSignedOut] = useState<{ providerAddress: string | null }>();
  const onSession = useCallback(
    (next: OfficeSession | null) => {
      const before = queries.getQueryData<OfficeSession | null>(sessionKey);
      queries.setQueryData(sessionKey, next);
      if (before?.person_id === next?.person_id) return;
      // What this person saw is not there for the next.
      queries.removeQueries({
        predicate: ({ queryKey: [name] }) => name !== 'session' && name !== 'options',
      });
    },
    [queries],
  );
  const onSignedIn = useCallback(
    (next: OfficeSession) => {
      announceSignIn(next);
      onSession(next);
    },
    [onSession],
  );
  const onSignedOut = useCallback(
    (providerAddress: string | null) => {
      setSignedOut({ providerAddress });
      onSession(null);
    },
    [onSession],
  );
  useEffect(() => onSignOut(onSignedOut), [onSignedOut]);
  const failure = session.error ?? options.error;
  if (failure)
    return (
      <main className="door card">
        <h1>{t('app.failed.title')}</h1>
        <p role="alert">{failure.message}</p>
        <Button look="primary" onClick={() => location.reload()}>
          {t('app.retry')}
        </Button>
      </main>
    );
  if (session.data === undefined || !options.data)
    return <Loading text={t('app.loading')} slowText={t('app.loadingSlow')} />;
  if (location.pathname === '/office/invitation') return <InvitationDoor onSignedIn={onSignedIn} />;
  if (location.pathname === providerPaths.start) return <ProviderStart />;
  if (location.pathname === providerPaths.end) return <ProviderEnd onSignedIn={onSession} />;
  const { office, provider } = options.data;
  if (session.data === null)
    return (
      <SignIn office={office} provider={provider} signedOut={signedOut} onSignedIn={onSignedIn} />
    );
  return (
    <SessionProvider
      key={session.data.person_id}
      session={session.data}
      provider={provider}
      onSession={onSession}
    >
      <Router base="/office">
        <Screens session={session.data} onSignedOut={onSignedOut} />
      </Router>
    </SessionProvider>
  );
}
