import type { Appearance } from '@ballot-beacon/contract/office/appearance';
import { Button } from '../../../../web/src/ui/button.tsx';
import { t } from '../../words/index.ts';
import { Changes } from './changes.tsx';

/** The office's color: chosen, looked at, and then shown to voters. */
export function ColorPanel({
  now,
  changes,
  isBusy,
  chosen,
  onChoose,
  onChange,
}: Appearance['color'] & {
  readonly isBusy: boolean;
  readonly chosen: string | undefined;
  readonly onChoose: (color: string | undefined) => void;
  readonly onChange: (to: string) => void;
}) {
  const [last] = changes;
  return (
    <section className="panel card" aria-labelledby="color">
      <h2 id="color">{t('look.color')}</h2>
      <p className="help">{t('look.color.help')}</p>
      <div className="field">
        <label className="field-label" htmlFor="look-color">
          {t('look.color.choose', { color: now })}
        </label>
        <input
          className="field-input"
          id="look-color"
          type="color"
          value={chosen ?? now}
          onChange={({ currentTarget: { value } }) => onChoose(value === now ? undefined : value)}
        />
      </div>
      <p className="buttons">
        {chosen && (
          <>
            <Button look="primary" busy={isBusy} onClick={() => onChange(chosen)}>
              {t('look.color.use', { color: chosen })}
            </Button>
            <Button look="quiet" onClick={() => onChoose(undefined)}>
              {t('look.color.keep')}
            </Button>
          </>
        )}
        {last?.to === now && !chosen && (
          <Button look="quiet" busy={isBusy} onClick={() => onChange(last.from)}>
            {t('look.color.undo', { color: last.from })}
          </Button>
        )}
      </p>
      <Changes label={t('look.color.history')} changes={changes} />
    </section>
  );
}
