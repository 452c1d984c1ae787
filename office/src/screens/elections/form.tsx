import { electionKinds } from '@ballot-beacon/contract/office/elections';
import { type ReactNode, useId } from 'react';
import { Button } from '../../../../web/src/ui/button.tsx';
import { Choice } from '../../shell/choice.tsx';
import { InputField } from '../../shell/input-field.tsx';
import { t } from '../../words/index.ts';
import type { Draft, Typed } from './typed.ts';

/** Everything of one election, with what the server refused at its field. */
export function ElectionForm({
  title,
  given,
  draft,
  errors,
  isBusy,
  setTyped,
  onSave,
  onCancel,
  children,
}: {
  readonly title: string;
  readonly given: Typed;
  readonly draft: Draft | null;
  /** By the name of the field in the contract. */
  readonly errors: Readonly<Record<string, string>>;
  readonly isBusy: boolean;
  readonly setTyped: (draft: Draft) => void;
  readonly onSave: (draft: Draft) => void;
  readonly onCancel: () => void;
  readonly children?: ReactNode;
}) {
  const { before, typed } = draft ?? { before: given, typed: given };
  const id = useId();
  const change = (more: Partial<Typed>) => setTyped({ before, typed: { ...typed, ...more } });
  const input = (name: keyof Typed & string) => ({
    id: `${id}-${name}`,
    value: String(typed[name]),
    onChange: (value: string) => change({ [name]: value }),
  });
  return (
    <section className="panel card">
      <h2>{title}</h2>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) onSave({ before, typed });
        }}
      >
        <InputField
          {...input('number')}
          label={t('elections.number')}
          help={t('election.number.help')}
          error={errors.number}
        />
        <InputField
          {...input('name')}
          label={t('elections.name')}
          help={t('election.name.help')}
          error={errors.name}
        />
        <InputField
          {...input('date')}
          type="date"
          label={t('elections.date')}
          error={errors.election_date}
        />
        <div>
          <label className="setting-switch">
            <input
              type="checkbox"
              checked={typed.isActive}
              onChange={(event) => change({ isActive: event.currentTarget.checked })}
            />
            <span className="field-label">{t('election.is_active')}</span>
          </label>
          <p className="field-hint">{t('election.is_active.help')}</p>
        </div>
        <fieldset className="ticks setting-group">
          <legend className="field-label">{t('election.deadline')}</legend>
          <p className="field-hint">{t('election.deadline.help')}</p>
          <Choice
            {...input('rule')}
            label={t('election.rule')}
            options={(['', 'received', 'postmarked'] as const).map((value) => ({
              value,
              name: t(`election.rule.${value || 'none'}`),
            }))}
          />
          {typed.rule !== '' && (
            <>
              <InputField
                {...input('by')}
                type="date"
                label={t('election.by')}
                error={errors['return_deadline/date']}
              />
              <InputField
                {...input('time')}
                type="time"
                label={t('election.time')}
                help={t('election.time.help')}
                error={errors['return_deadline/time']}
              />
              <InputField
                {...input('place')}
                label={t('election.place')}
                help={t('election.place.help')}
                error={errors['return_deadline/place']}
              />
            </>
          )}
        </fieldset>
        <fieldset className="ticks setting-group">
          <legend className="field-label">{t('election.fixes')}</legend>
          <p className="field-hint">{t('election.fixes.help')}</p>
          <Choice
            {...input('kind')}
            label={t('election.kind')}
            options={[
              { value: '', name: t('election.kind.none') },
              ...electionKinds.map((one) => ({ value: one, name: t(`election.kind.${one}`) })),
            ]}
          />
          <InputField
            {...input('certifiedOn')}
            type="date"
            label={t('election.certified_on')}
            error={errors.certified_on}
          />
          <InputField
            {...input('canvassedOn')}
            type="date"
            label={t('election.canvassed_on')}
            error={errors.canvassed_on}
          />
        </fieldset>
        <p className="buttons">
          <Button type="submit" look="primary" busy={isBusy}>
            {t('elections.save')}
          </Button>
          <Button look="quiet" onClick={onCancel}>
            {t('app.cancel')}
          </Button>
          {children}
        </p>
      </form>
    </section>
  );
}
