import type { VoterRecord } from '@ballot-beacon/contract/office/voters';
import { useMutation } from '@tanstack/react-query';
import { Button } from '../../../../web/src/ui/button.tsx';
import { Failure } from '../../shell/failure.tsx';
import { useSession } from '../../shell/session.tsx';
import { t } from '../../words/index.ts';
import { useRecordChange } from './record.ts';

/** For a voter who cannot sign in, or whose phone is in other hands. */
export function SignIn({ voter }: { readonly voter: VoterRecord }) {
  const { act } = useSession();
  const { is_confidential: isConfidential, is_locked: isLocked } = voter;
  const params = { voter_id: voter.voter_id };
  const change = useRecordChange(voter.voter_id);
  const deed = useMutation({
    // Each answers what happened, in a clerk's words.
    mutationFn: (deed: () => Promise<string>) => deed(),
  });
  const unlock = async () => {
    const { was_locked: wasLocked } = await act('unlockVoter', { params });
    change((record) => ({ ...record, is_locked: false }));
    return t(wasLocked ? 'voter.unlock.done' : 'voter.unlock.nothing');
  };
  const signOut = async () => {
    const { sessions } = await act('signVoterOut', { params });
    return t('voter.signOut.done', { count: sessions });
  };
  const revoke = async () => {
    const { had_code: hadCode } = await act('revokeLetterCode', { params });
    return t(hadCode ? 'voter.letterCode.done' : 'voter.letterCode.none');
  };
  const start = (one: () => Promise<string>) => {
    if (!deed.isPending) deed.mutate(one);
  };
  return (
    <section className="panel card" aria-labelledby="sign-in">
      <h2 id="sign-in">{t('voter.signIn')}</h2>
      <p className={isLocked ? 'notice notice-bad' : 'help'}>
        {t(isLocked ? 'voter.locked' : 'voter.signIn.help')}
      </p>
      <p className="buttons">
        <Button busy={deed.isPending} onClick={() => start(unlock)}>
          {t('voter.unlock')}
        </Button>
        <Button busy={deed.isPending} onClick={() => start(signOut)}>
          {t('voter.signOut')}
        </Button>
        {isConfidential && (
          <Button busy={deed.isPending} onClick={() => start(revoke)}>
            {t('voter.letterCode.revoke')}
          </Button>
        )}
      </p>
      <div aria-live="polite">{deed.data && <p className="notice notice-good">{deed.data}</p>}</div>
      <Failure error={deed.error} />
    </section>
  );
}
