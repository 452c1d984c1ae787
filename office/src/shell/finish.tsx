import type { MessageFinish } from '@ballot-beacon/contract/office/files';
import { formatInstant, t } from '../words/index.ts';
import { useSession } from './session.tsx';

/** When the last message leaves, in a sentence or two. */
export function Finish({ finish }: { finish: MessageFinish }) {
  const { session } = useSession();
  const { earliest_at: earliest, latest_at: latest, too_old: count } = finish;
  const at = formatInstant(latest, session);
  const from = formatInstant(earliest, session);
  return (
    <>
      {from === at ? t('finish.at', { at }) : t('finish.between', { from, at })}
      {count > 0 && ` ${t('finish.tooOld', { count })}`}
    </>
  );
}
