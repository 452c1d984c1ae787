/** An input with its label, its help and what is wrong with it. */
export function InputField(of: {
  readonly id: string;
  readonly label: string;
  readonly help?: string;
  readonly error?: string | undefined;
  readonly type?: 'text' | 'date' | 'time';
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const described = [of.help && `${of.id}-help`, of.error && `${of.id}-error`].filter(Boolean);
  return (
    <div className="field" data-invalid={of.error ? '' : undefined}>
      <label className="field-label" htmlFor={of.id}>
        {of.label}
      </label>
      {of.help && (
        <p className="field-hint" id={`${of.id}-help`}>
          {of.help}
        </p>
      )}
      <input
        className="field-input"
        id={of.id}
        type={of.type ?? 'text'}
        value={of.value}
        autoComplete="off"
        aria-invalid={of.error ? true : undefined}
        aria-describedby={described.join(' ') || undefined}
        onChange={(event) => of.onChange(event.currentTarget.value)}
      />
      {of.error && (
        <p className="field-error" id={`${of.id}-error`}>
          {of.error}
        </p>
      )}
    </div>
  );
}
