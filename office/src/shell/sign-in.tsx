import type { OfficeSession } from '@ballot-beacon/contract/office/people';
import { useState } from 'react';
import { Button } from '../../../web/src/ui/button.tsx';
import { t, type WordKey } from '../words/index.ts';
import { signInWithPasskey } from './passkey.ts';

/** The ways in, with what went wrong at the last try. */
export function SignInButtons({
  label = 'signIn.passkey',
  onSignedIn,
}: {
  label?: WordKey;
  onSignedIn: (session: OfficeSession) => void;
}) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const signIn = async () => {
    if (isBusy) return;
    setBusy(true);
    setProblem('');
    try {
      onSignedIn(await signInWithPasskey());
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {problem && (
        <p className="notice notice-bad" role="alert">
          {problem}
        </p>
      )}
      <Button look="primary" busy={isBusy} onClick={() => void signIn()}>
        {t(label)}
      </Button>
    </>
  );
}

/** The console's door. */
export function SignIn({
  office,
  onSignedIn,
}: {
  office: string;
  onSignedIn: (session: OfficeSession) => void;
}) {
  return (
    <main className="door card">
      <p className="door-office">{office}</p>
      <h1>{t('signIn.title')}</h1>
      <p>{t('signIn.text')}</p>
      <SignInButtons onSignedIn={onSignedIn} />
      <p className="help">{t('signIn.help')}</p>
      <p>
        <a href="/voter">{t('signIn.voter')}</a>
      </p>
    </main>
  );
}
