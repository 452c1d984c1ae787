import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../../web/src/ui/button.tsx';
import { CallError } from '../../api/client.ts';
import { Failure } from '../../shell/failure.tsx';
import { InputField } from '../../shell/input-field.tsx';
import { useRefresh } from '../../shell/refresh.ts';
import { useSession } from '../../shell/session.tsx';
import { t } from '../../words/index.ts';

/** Signs every voter of the office out at once, with the reason on record. */
export function SessionsPanel({ count }: { readonly count: number }) {
  const { act } = useSession();
  const [reason, setReason] = useState('');
  const end = useMutation({
    mutationFn: async () => {
      const { ended } = await act('endVoterSessions', { body: { reason } });
      return ended;
    },
    onSuccess: () => setReason(''),
    onSettled: useRefresh(),
  });
  const errors = end.error instanceof CallError ? end.error.fields : {};
  return (
    <section className="panel card" aria-labelledby="sessions">
      <h2 id="sessions">{t('misuse.sessions')}</h2>
      <p className="help">{t('misuse.sessions.help')}</p>
      <div aria-live="polite">
        {end.data !== undefined && (
          <p className="notice notice-good">{t('misuse.sessions.done', { count: end.data })}</p>
        )}
      </div>
      <Failure error={end.error} />
      <p>{t('misuse.sessions.now', { count })}</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!end.isPending && window.confirm(t('misuse.sessions.sure'))) end.mutate();
        }}
      >
        <InputField
          id="sessions-reason"
          label={t('misuse.sessions.why')}
          help={t('misuse.sessions.why.help')}
          value={reason}
          error={errors.reason}
          onChange={setReason}
        />
        <Button type="submit" busy={end.isPending}>
          {t('misuse.sessions.end')}
        </Button>
      </form>
    </section>
  );
}
