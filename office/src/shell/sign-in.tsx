import type { OfficeSession } from '@ballot-beacon/contract/office/people';
import { useState } from 'react';
import { Button } from '../../../web/src/ui/button.tsx';
import { t } from '../words/index.ts';
import { Failure } from './failure.tsx';
import { signInWithPasskey } from './passkey.ts';
import { goToProvider, openProviderWindow } from './provider.ts';

/** The ways in, with what went wrong at the last try. */
function SignInButtons({
  provider,
  passkey,
  onProvider,
  onSignedIn,
}: {
  /** The name of the office's identity provider; null without one. */
  provider: string | null;
  passkey: boolean;
  onProvider: () => Promise<void>;
  onSignedIn: (session: OfficeSession) => void;
}) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const attempt = async (way: () => Promise<void>) => {
    if (isBusy) return;
    setBusy(true);
    setProblem('');
    try {
      await way();
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Failure text={problem} />
      {provider !== null && (
        <Button look="primary" busy={isBusy} onClick={() => void attempt(onProvider)}>
          {t('signIn.provider', { provider })}
        </Button>
      )}
      {passkey && (
        <Button
          look={provider === null ? 'primary' : 'secondary'}
          busy={isBusy}
          onClick={() => void attempt(async () => onSignedIn(await signInWithPasskey()))}
        >
          {t('signIn.passkey')}
        </Button>
      )}
    </>
  );
}

/** Signing in again, in the way of the first time, while the page stays as it is. A provider's window announces that it did. */
export function SignInAgain({
  method,
  provider,
  onSignedIn,
}: {
  method: OfficeSession['method'];
  provider: string | null;
  onSignedIn: (session: OfficeSession) => void;
}) {
  const [isWaiting, setWaiting] = useState(false);
  return (
    <>
      {isWaiting && <p role="status">{t('signIn.window')}</p>}
      <SignInButtons
        provider={method === 'provider' ? provider : null}
        passkey={method === 'passkey'}
        onProvider={async () => {
          if (!openProviderWindow()) throw new Error(t('signIn.windowBlocked'));
          setWaiting(true);
        }}
        onSignedIn={onSignedIn}
      />
    </>
  );
}

/** The console's door. */
export function SignIn({
  office,
  provider,
  signedOut,
  onSignedIn,
}: {
  office: string;
  provider: string | null;
  /** After somebody signed out; with the provider's own address for that, if there is one. */
  signedOut: { readonly providerAddress: string | null } | undefined;
  onSignedIn: (session: OfficeSession) => void;
}) {
  return (
    <main className="door card">
      <p className="door-office">{office}</p>
      <h1>{t('signIn.title')}</h1>
      {signedOut && (
        <p className="notice notice-good" role="status">
          {t('signIn.signedOut')}{' '}
          {signedOut.providerAddress !== null && provider !== null && (
            <a href={signedOut.providerAddress}>{t('signIn.providerSignOut', { provider })}</a>
          )}
        </p>
      )}
      <p>{t('signIn.text')}</p>
      <SignInButtons
        provider={provider}
        passkey
        // Who signed out shall not be in again by one click of the next person at this desk.
        onProvider={() => goToProvider(signedOut !== undefined)}
        onSignedIn={onSignedIn}
      />
      <p className="help">{t('signIn.help')}</p>
      <p>
        <a href="/voter">{t('signIn.voter')}</a>
      </p>
    </main>
  );
}
