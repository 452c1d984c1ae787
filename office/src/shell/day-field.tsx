/** A day, `YYYY-MM-DD`, or an empty text. */
export function DayField(of: {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (day: string) => void;
}) {
  return (
    <div className="field">
      <label className="field-label" htmlFor={of.id}>
        {of.label}
      </label>
      <input
        className="field-input"
        id={of.id}
        type="date"
        value={of.value}
        onChange={(event) => of.onChange(event.currentTarget.value)}
      />
    </div>
  );
}
