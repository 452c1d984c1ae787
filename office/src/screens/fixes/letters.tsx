import type { FixesAnswer } from '@ballot-beacon/contract/office/fixes';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../../web/src/ui/button.tsx';
import { saveFile } from '../../api/save-file.ts';
import { Failure } from '../../shell/failure.tsx';
import { useRefresh } from '../../shell/refresh.ts';
import { useSession } from '../../shell/session.tsx';
import { t } from '../../words/index.ts';

/** Letters to voters whom no message reaches. Not there while nobody needs one. */
export function LettersPanel({ letters }: { readonly letters: FixesAnswer['letters'] }) {
  const { needed, printed, without_address: withoutAddress, confidential } = letters;
  const { act } = useSession();
  const [isAgain, setAgain] = useState(false);
  const print = useMutation({
    mutationFn: async () => {
      const file = await act('createFixLetters', { body: { again: isAgain } });
      saveFile(file);
      return file.name;
    },
    onSettled: useRefresh(),
  });
  if (needed + printed + withoutAddress.length + confidential === 0) return null;
  return (
    <section className="panel card" aria-labelledby="letters">
      <h2 id="letters">{t('fixes.letters')}</h2>
      <p className="help">{t('fixes.letters.help')}</p>
      <div aria-live="polite">
        {print.data && (
          <p className="notice notice-good">{t('fixes.letters.done', { file: print.data })}</p>
        )}
      </div>
      <Failure error={print.error} />
      <p>{needed === 0 ? t('fixes.letters.none') : t('fixes.letters.needed', { count: needed })}</p>
      {withoutAddress.length > 0 && (
        <p>{t('fixes.letters.address', { voters: withoutAddress.join(', ') })}</p>
      )}
      {confidential > 0 && <p>{t('fixes.letters.confidential', { count: confidential })}</p>}
      {printed > 0 && (
        <label className="setting-switch">
          <input
            type="checkbox"
            checked={isAgain}
            onChange={(event) => setAgain(event.currentTarget.checked)}
          />
          {t('fixes.letters.again', { count: printed })}
        </label>
      )}
      {(needed > 0 || isAgain) && (
        <p className="buttons">
          <Button
            look="primary"
            busy={print.isPending}
            onClick={() => !print.isPending && print.mutate()}
          >
            {t('fixes.letters.save')}
          </Button>
        </p>
      )}
    </section>
  );
}
