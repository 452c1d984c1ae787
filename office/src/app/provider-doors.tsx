import type { OfficeSession } from '@ballot-beacon/contract/office/people';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Button } from '../../../web/src/ui/button.tsx';
import { Loading } from '../../../web/src/ui/loading.tsx';
import { call } from '../api/client.ts';
import { Failure } from '../shell/failure.tsx';
import { goToProvider, leaveProvider, markAsWindow } from '../shell/provider.ts';
import { announceSignIn } from '../shell/sign-ins.ts';
import { t } from '../words/index.ts';

/** A window of its own on its way to the identity provider. */
export function ProviderStart() {
  const start = useQuery({
    queryKey: ['provider-start'],
    queryFn: async () => {
      markAsWindow();
      await goToProvider(true);
      return null;
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return <OnTheWay problem={start.error?.message} />;
}

/** Where the identity provider sends the browser back. Its answer is good once. */
export function ProviderEnd({ onSignedIn }: { onSignedIn: (session: OfficeSession) => void }) {
  const end = useQuery({
    queryKey: ['provider-end'],
    queryFn: () => call('createProviderSession', { body: { answer: location.search } }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data: session } = end;
  useEffect(() => {
    if (!session) return;
    announceSignIn(session);
    history.replaceState(null, '', leaveProvider());
    onSignedIn(session);
  }, [session, onSignedIn]);
  return <OnTheWay problem={end.error?.message} />;
}

function OnTheWay({ problem }: { problem: string | undefined }) {
  if (problem === undefined)
    return <Loading text={t('signIn.finishing')} slowText={t('app.loadingSlow')} />;
  return (
    <main className="door card">
      <h1>{t('signIn.failed')}</h1>
      <Failure text={problem} />
      <Button look="primary" onClick={() => location.assign('/office/')}>
        {t('signIn.back')}
      </Button>
    </main>
  );
}
