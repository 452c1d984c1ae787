import type { Appearance } from '@ballot-beacon/contract/office/appearance';
import type { FlagState } from '@ballot-beacon/contract/office/flags';
import { Link } from 'wouter';
import { Button } from '../../../../web/src/ui/button.tsx';
import { t } from '../../words/index.ts';
import { Changes } from './changes.tsx';

/** Whether the sign-in page says that many people are using it. */
export function OutagePanel({
  state,
  default_value: usual,
  is_elsewhere: isElsewhere,
  changes,
  isBusy,
  tried,
  onTry,
  onSet,
  onUndo,
}: Appearance['outage'] & {
  readonly isBusy: boolean;
  /** How the preview has it; undefined: as it is. */
  readonly tried: 'on' | 'off' | undefined;
  readonly onTry: (notice: 'on' | 'off' | undefined) => void;
  readonly onSet: (to: 'on' | 'off') => void;
  readonly onUndo: (auditId: number) => void;
}) {
  const nameOf = (one: FlagState) =>
    one === 'default'
      ? t('flags.usual', { value: t(usual ? 'flags.on' : 'flags.off') })
      : t(`flags.state.${one}`);
  const isOn = state === 'on' || (state === 'default' && usual);
  const other = isOn ? 'off' : 'on';
  const [last] = changes;
  return (
    <section className="panel card" aria-labelledby="outage">
      <h2 id="outage">{t('look.outage')}</h2>
      <p className="help">
        {t('look.outage.help')}{' '}
        <Link href="/texts/main:outage.text/english">{t('look.outage.words')}</Link>
      </p>
      {isElsewhere && <p className="notice">{t('flags.elsewhere')}</p>}
      <p>
        <strong>{t('flags.now', { state: nameOf(state) })}</strong>
      </p>
      <p className="buttons">
        <Button
          aria-pressed={tried !== undefined}
          onClick={() => onTry(tried === undefined ? other : undefined)}
        >
          {t(`look.outage.try.${other}`)}
        </Button>
        <Button look="primary" busy={isBusy} onClick={() => onSet(other)}>
          {t(`look.outage.turn.${other}`)}
        </Button>
        {last && (
          <Button look="quiet" busy={isBusy} onClick={() => onUndo(last.audit_id)}>
            {t('look.outage.undo')}
          </Button>
        )}
      </p>
      <Changes
        label={t('look.outage.history')}
        changes={changes.map((one) => ({ ...one, from: nameOf(one.from), to: nameOf(one.to) }))}
      />
    </section>
  );
}
