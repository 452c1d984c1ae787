import type { ComponentPropsWithRef, ReactNode } from 'react';
import { Words } from './words.tsx';

interface FieldProps extends ComponentPropsWithRef<'input'> {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  /** Announced with the field and shown under it; the field counts as wrong while it is there. */
  error?: ReactNode;
}

/** The id under which a field of this name is found, for a link to it. */
export const fieldId = (name: string) => `field-${name}`;

/**
 * A labeled text input. It is uncontrolled: the browser keeps what is typed, also what was typed before the
 * script arrived; read it with FormData.
 */
export function Field({ name, label, hint, error, className, ...input }: FieldProps) {
  const id = fieldId(name);
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={`field ${className ?? ''}`} data-invalid={error ? '' : undefined}>
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {hint && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <input
        {...input}
        className="field-input"
        id={id}
        name={name}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
      />
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {typeof error === 'string' ? <Words text={error} /> : error}
        </p>
      )}
    </div>
  );
}
