import type { OfficeSession } from '@ballot-beacon/contract/office/people';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../web/src/ui/button.tsx';
import { Loading } from '../../../web/src/ui/loading.tsx';
import { call } from '../api/client.ts';
import { Failure } from '../shell/failure.tsx';
import { acceptInvitation } from '../shell/passkey.ts';
import { t } from '../words/index.ts';

/** Where the link of an invitation leads: its secret stands behind the #. */
export function InvitationDoor({ onSignedIn }: { onSignedIn: (session: OfficeSession) => void }) {
  const token = location.hash.slice(1);
  const isComplete = /^[\w-]{43}$/.test(token);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const invitation = useQuery({
    queryKey: ['invitation'],
    queryFn: () => call('readInvitation', { body: { token } }),
    enabled: isComplete,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const accept = async () => {
    if (isBusy) return;
    setBusy(true);
    setProblem('');
    try {
      const session = await acceptInvitation(token);
      history.replaceState(null, '', '/office/');
      onSignedIn(session);
    } catch (error) {
      setProblem((error as Error).message);
      setBusy(false);
    }
  };
  if (isComplete && invitation.isPending)
    return <Loading text={t('app.loading')} slowText={t('app.loadingSlow')} />;
  const refusal = isComplete ? invitation.error?.message : t('invitation.missing');
  return (
    <main className="door card">
      {invitation.data ? (
        <>
          <h1>{t('invitation.title', { office: invitation.data.office })}</h1>
          <p>
            {t('invitation.text', {
              name: invitation.data.name,
              roles: invitation.data.roles.map((role) => t(`role.${role}`)).join(', '),
            })}
          </p>
          <p>{t('invitation.passkey')}</p>
          <Failure text={problem} />
          <Button look="primary" busy={isBusy} onClick={() => void accept()}>
            {t('invitation.create')}
          </Button>
        </>
      ) : (
        <>
          <h1>{t('signIn.title')}</h1>
          <Failure text={refusal} />
        </>
      )}
    </main>
  );
}
