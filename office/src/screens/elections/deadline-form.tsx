import type {
  ElectionDeadlines,
  FixDeadlinesChange,
} from '@ballot-beacon/contract/office/fix-deadlines';
import { useId, useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../../../web/src/ui/button.tsx';
import { InputField } from '../../shell/input-field.tsx';
import { useSession } from '../../shell/session.tsx';
import { t } from '../../words/index.ts';

type Changes = FixDeadlinesChange['changes'];

/** One deadline for one problem or several, with a warning where it takes time from voters. */
export function DeadlineForm({
  election: { deadlines },
  errors,
  isBusy,
  onSave,
}: {
  readonly election: ElectionDeadlines;
  /** By the name of the field in the contract. */
  readonly errors: Readonly<Record<string, string>>;
  readonly isBusy: boolean;
  readonly onSave: (changes: Changes) => void;
}) {
  const { session } = useSession();
  const id = useId();
  const [chosen, setChosen] = useState(() => deadlines.map(({ defect }) => defect));
  const [day, setDay] = useState('');
  const [time, setTime] = useState('17:00');
  const [reason, setReason] = useState('');
  const moment = `${day}T${time}`;
  const isComplete = day !== '' && time !== '';
  const earlier = deadlines.filter(
    ({ defect, law }) => chosen.includes(defect) && law.at !== null && moment < law.at.slice(0, 16),
  );
  const save = () => {
    const own = { ends_on: day, ends_at: time, reason };
    onSave(chosen.map((defect) => ({ defect, own })));
  };
  return (
    <section className="panel card" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{t('deadlines.form')}</h2>
      <p className="help">{t('deadlines.form.help')}</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) save();
        }}
      >
        <fieldset className="ticks">
          <legend className="field-label">{t('deadlines.defects')}</legend>
          {deadlines.map(({ defect }) => (
            <label key={defect}>
              <input
                type="checkbox"
                checked={chosen.includes(defect)}
                onChange={({ currentTarget: { checked } }) =>
                  setChosen(
                    checked ? [...chosen, defect] : chosen.filter((other) => other !== defect),
                  )
                }
              />
              {t(`fixes.defect.${defect}`)}
            </label>
          ))}
          {errors.changes && <p className="field-error">{errors.changes}</p>}
        </fieldset>
        <InputField
          id={`${id}-day`}
          type="date"
          label={t('deadlines.day')}
          value={day}
          error={errors.ends_on}
          onChange={setDay}
        />
        <InputField
          id={`${id}-time`}
          type="time"
          label={t('deadlines.time')}
          help={t('deadlines.time.help')}
          value={time}
          error={errors.ends_at}
          onChange={setTime}
        />
        <InputField
          id={`${id}-reason`}
          label={t('deadlines.reason')}
          help={t('deadlines.reason.help')}
          value={reason}
          error={errors.reason}
          onChange={setReason}
        />
        <div aria-live="polite">
          {isComplete && earlier.length > 0 && (
            <p className="notice">
              {t('deadlines.warn.earlier', {
                defects: earlier.map(({ defect }) => t(`fixes.defect.${defect}`)).join(', '),
              })}
            </p>
          )}
          {isComplete && moment < localNow(session.time_zone) && (
            <p className="notice">{t('deadlines.warn.over')}</p>
          )}
        </div>
        <p className="buttons">
          <Button type="submit" look="primary" busy={isBusy}>
            {t('deadlines.save')}
          </Button>
          <Link className="button button-quiet" href="/elections/deadlines">
            {t('app.cancel')}
          </Link>
        </p>
      </form>
    </section>
  );
}

/** What the office's clock shows: `2026-11-24T17:05`. */
function localNow(timeZone: string): string {
  // Swedish writes days and times so.
  return new Date().toLocaleString('sv-SE', { timeZone }).replace(' ', 'T').slice(0, 16);
}
