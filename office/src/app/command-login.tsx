import { CommandSessionStart, codeOfCommandSession } from '@ballot-beacon/contract/office/people';
import { useMutation } from '@tanstack/react-query';
import { Button } from '../../../web/src/ui/button.tsx';
import { Failure } from '../shell/failure.tsx';
import { useSession } from '../shell/session.tsx';
import { t } from '../words/index.ts';

/** Where the link of `beacon login` leads: the person who is signed in here confirms the code of that command. */
export function CommandLogin() {
  const { session, act } = useSession();
  const parsed = CommandSessionStart.safeParse({ hash: location.hash.slice(1) });
  const confirm = useMutation({
    mutationFn: async () => {
      if (parsed.success) await act('createCommandSession', { body: parsed.data });
    },
  });
  return (
    <>
      <h1>{t('commandLogin.title')}</h1>
      <section className="panel card">
        {!parsed.success && <p role="alert">{t('commandLogin.missing')}</p>}
        {parsed.success && (
          <>
            <p>{t('commandLogin.help', { name: session.name })}</p>
            <p>
              <strong>{codeOfCommandSession(parsed.data.hash)}</strong>
            </p>
            <Failure error={confirm.error} />
            <div aria-live="polite">
              {confirm.isSuccess && <p className="notice notice-good">{t('commandLogin.done')}</p>}
            </div>
            {!confirm.isSuccess && (
              <p>
                <Button look="primary" busy={confirm.isPending} onClick={() => confirm.mutate()}>
                  {t('commandLogin.confirm')}
                </Button>
              </p>
            )}
          </>
        )}
      </section>
    </>
  );
}
