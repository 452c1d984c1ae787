import type { FileAnswer } from '@ballot-beacon/contract/office/files';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef } from 'react';
import { Button } from '../../../../web/src/ui/button.tsx';
import { Failure } from '../../shell/failure.tsx';
import { Finish } from '../../shell/finish.tsx';
import { useRefresh } from '../../shell/refresh.ts';
import { useSession } from '../../shell/session.tsx';
import { t } from '../../words/index.ts';

type Decision = 'releaseFile' | 'returnFile' | 'correctFile';

/** What a second person may do with a file now; nothing for those who may only look. */
export function Decisions({ file }: { file: FileAnswer }) {
  const { session, act } = useSession();
  const form = useRef<HTMLFormElement>(null);
  const decision = useMutation({
    mutationFn: ({ name, reason }: { name: Decision; reason: string }) => {
      const params = { import_id: file.import_id };
      if (name !== 'releaseFile') return act(name, { params, body: { reason } });
      const waiting = file.state === 'messages-held' ? file.state : 'file-held';
      return act(name, { params, body: { reason, state: waiting } });
    },
    onSuccess: () => form.current?.reset(),
    onSettled: useRefresh(),
  });
  const choices = choicesOf(file);
  const result = decision.data && `decision.done.${decision.data.state}`;
  if (!session.permissions.includes('release')) return null;
  if (choices.length === 0 && decision.isIdle) return null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const reason = String(new FormData(event.currentTarget).get('reason') ?? '');
    const name = (submitter as HTMLButtonElement | null)?.value as Decision | undefined;
    if (name && !decision.isPending) decision.mutate({ name, reason });
  };
  return (
    <section className="panel panel-wide card decision" aria-live="polite">
      {isDone(result) && (
        <p className="notice notice-good" role="status">
          {t(result)}
        </p>
      )}
      <Failure error={decision.error} />
      {choices.length > 0 && file.is_own && <p className="notice">{t('decision.own')}</p>}
      {choices.length > 0 && !file.is_own && (
        <form ref={form} onSubmit={submit}>
          <h2>
            {t(
              choices.includes('correctFile') && choices.length === 1
                ? 'decision.correct.title'
                : 'decision.title',
            )}
          </h2>
          {file.state === 'messages-held' && (
            <p>
              {t('decision.messages', { count: file.messages.unsent })}{' '}
              {file.finish && <Finish finish={file.finish} />}
            </p>
          )}
          {choices.includes('correctFile') && <p>{t('decision.correct.text', file.messages)}</p>}
          <div className="field">
            <label className="field-label" htmlFor="reason">
              {t('decision.reason')}
            </label>
            <p className="field-hint" id="reason-hint">
              {t('decision.reason.hint')}
            </p>
            <textarea
              className="field-input"
              id="reason"
              name="reason"
              rows={3}
              required
              minLength={3}
              maxLength={1000}
              aria-describedby="reason-hint"
            />
          </div>
          <p className="buttons">
            {choices.map((name, index) => (
              <Button
                key={name}
                type="submit"
                value={name}
                look={index === 0 && name === 'releaseFile' ? 'primary' : 'secondary'}
                busy={decision.isPending}
              >
                {t(labelOf(name, file))}
              </Button>
            ))}
          </p>
        </form>
      )}
    </section>
  );
}

function choicesOf({ state }: FileAnswer): readonly Decision[] {
  if (state === 'file-held') return ['releaseFile', 'returnFile'];
  if (state === 'messages-held') return ['releaseFile', 'correctFile'];
  return state === 'done' || state === 'released' ? ['correctFile'] : [];
}

function labelOf(name: Decision, { state }: FileAnswer) {
  if (name === 'returnFile') return 'decision.return';
  if (name === 'correctFile') return 'decision.correct';
  return state === 'messages-held' ? 'decision.releaseMessages' : 'decision.release';
}

const done = [
  'decision.done.released',
  'decision.done.messages-held',
  'decision.done.discarded',
  'decision.done.corrected',
  'decision.done.loading',
] as const;

function isDone(key: string | undefined): key is (typeof done)[number] {
  return (done as readonly (string | undefined)[]).includes(key);
}
