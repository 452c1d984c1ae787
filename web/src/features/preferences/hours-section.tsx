import { useFormats } from '../../shell/formats.ts';
import { useTexts } from '../../shell/texts.ts';
import { fieldId } from '../../ui/field.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Choice, FieldErrors as Errors } from './contact-field.tsx';
import type { FieldErrors } from './errors.ts';
import { defaultLimits, type PreferencesAction, type PreferencesState } from './form.ts';
import { listTimes } from './hours.ts';
import { wordsOfErrors } from './words.ts';

interface HoursSectionProps {
  state: PreferencesState;
  errors: FieldErrors;
  /** The times were the same at the last submit, and became the usual ones. */
  wasReset: boolean;
  send: (action: PreferencesAction) => void;
}

const ends = ['limitStart', 'limitEnd'] as const;

export function HoursSection({ state, errors, wasReset, send }: HoursSectionProps) {
  const { t } = useTexts();
  const formats = useFormats();
  const { limitStart, limitEnd, limitHoursOptIn } = state.values;
  const between = { start: formats.time(limitStart), end: formats.time(limitEnd) };
  return (
    <fieldset className="preferences-section">
      <legend>
        <Icon name="clock" />
        {t('preferences.hours.title')}
      </legend>
      <Choice
        name="limit-hours"
        label={t('preferences.hours.optIn')}
        isOn={limitHoursOptIn}
        onChange={(isOn) => send({ type: 'limitHours', isOn })}
      />
      <div className="preferences-hours">
        {ends.map((end) => {
          const id = fieldId(end);
          const wrong = wordsOfErrors(errors[end], t);
          const value = state.values[end];
          return (
            <div className="field" data-invalid={wrong.length > 0 ? '' : undefined} key={end}>
              <label className="field-label" htmlFor={id}>
                {t(end === 'limitStart' ? 'preferences.hours.start' : 'preferences.hours.end')}
              </label>
              <select
                className="field-input"
                id={id}
                name={end}
                value={value}
                aria-invalid={wrong.length > 0 ? true : undefined}
                aria-describedby={`${id}-errors hours-note`}
                onChange={(event) => send({ type: 'limit', end, time: event.currentTarget.value })}
                onBlur={() => send({ type: 'touch', field: end })}
              >
                {listTimes(value).map((time) => (
                  <option value={time} key={time} suppressHydrationWarning>
                    {formats.time(time)}
                  </option>
                ))}
              </select>
              <Errors id={id} errors={wrong} />
            </div>
          );
        })}
      </div>
      <p className="preferences-hint" id="hours-note" aria-live="polite">
        {wasReset
          ? t('preferences.hours.reset', {
              start: formats.time(defaultLimits.limitStart),
              end: formats.time(defaultLimits.limitEnd),
            })
          : limitHoursOptIn && limitStart > limitEnd
            ? t('preferences.hours.overnight', between)
            : t('preferences.hours.hint')}
      </p>
    </fieldset>
  );
}
