/** A menu with its label. */
export function Choice(of: {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly name: string }[];
  readonly onChange: (value: string) => void;
}) {
  return (
    <div className="field">
      <label className="field-label" htmlFor={of.id}>
        {of.label}
      </label>
      <select
        className="field-input"
        id={of.id}
        value={of.value}
        onChange={(event) => of.onChange(event.currentTarget.value)}
      >
        {of.options.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
