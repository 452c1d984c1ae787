import { type ComponentPropsWithoutRef, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { fieldId } from '../../ui/field.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Words } from '../../ui/words.tsx';

interface ContactFieldProps
  extends Omit<ComponentPropsWithoutRef<'input'>, 'value' | 'onChange' | 'onBlur'> {
  name: string;
  label: string;
  value: string;
  /** What is known of the address in the field; described to those who cannot see it too. */
  status: React.ReactNode;
  errors: readonly string[];
  clearLabel: string;
  /** Whether there is something to empty or to opt out of. */
  canClear: boolean;
  onEdit: (text: string) => void;
  onLeave: () => void;
  onClear: () => void;
}

/** A text field with a button that empties it, and what is known and wrong of its value. */
export function ContactField({
  name,
  label,
  value,
  status,
  errors,
  clearLabel,
  canClear,
  onEdit,
  onLeave,
  onClear,
  ...input
}: ContactFieldProps) {
  const id = fieldId(name);
  const field = useRef<HTMLInputElement>(null);
  const isWrong = errors.length > 0;
  return (
    <div className="field" data-invalid={isWrong ? '' : undefined}>
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <div className="contact-row">
        <input
          {...input}
          className="field-input"
          id={id}
          name={name}
          ref={field}
          dir="ltr"
          value={value}
          aria-invalid={isWrong ? true : undefined}
          aria-describedby={`${id}-errors ${id}-status`}
          onChange={(event) => onEdit(event.currentTarget.value)}
          onBlur={onLeave}
        />
        {canClear && (
          <Button
            look="quiet"
            className="contact-clear"
            aria-label={clearLabel}
            title={clearLabel}
            onClick={() => {
              onClear();
              field.current?.focus();
            }}
          >
            <Icon name="close" />
          </Button>
        )}
      </div>
      <FieldErrors id={id} errors={errors} />
      <div className="contact-status" id={`${id}-status`}>
        {status}
      </div>
    </div>
  );
}

/** Errors come and go while the voter is elsewhere, so they are also said as they come. */
export function FieldErrors({ id, errors }: { id: string; errors: readonly string[] }) {
  return (
    <div className="field-error" id={`${id}-errors`} aria-live="polite">
      {errors.map((error) => (
        <p key={error}>
          <Words text={error} />
        </p>
      ))}
    </div>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

export function Choice({ name, label, isOn, onChange }: ChoiceProps) {
  return (
    <label className="choice">
      <input
        type="checkbox"
        name={name}
        checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
