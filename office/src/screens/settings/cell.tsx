import type { SettingColumn } from '@ballot-beacon/contract/office/settings';
import { t } from '../../words/index.ts';
import { columnName, fieldName, optionName } from './describe.ts';

/** One value of a row. A list's only column has the setting's own name. */
export function Cell({
  id,
  at,
  column,
  typed,
  onType,
}: {
  readonly id: string;
  readonly at: string;
  readonly column: SettingColumn;
  readonly typed: string | boolean;
  readonly onType: (typed: string | boolean) => void;
}) {
  const { name, control, options, is_optional: isOptional } = column;
  const known = columnName(at, name);
  const label = known === `${at}.${name}` ? fieldName(at) : known;
  if (control === 'switch')
    return (
      <label className="setting-switch">
        <input
          id={id}
          type="checkbox"
          checked={typed === true}
          onChange={(event) => onType(event.currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
    );
  return (
    <div className="field">
      <label className="soft" htmlFor={id}>
        {label}
      </label>
      {control === 'choice' ? (
        <select
          className="field-input"
          id={id}
          value={String(typed)}
          onChange={(event) => onType(event.currentTarget.value)}
        >
          {isOptional && (
            <option value="">
              {t(name === 'kind' ? 'settings.noService' : 'settings.nothingKnown')}
            </option>
          )}
          {options.map((option) => (
            <option key={option} value={option}>
              {optionName(at, option)}
            </option>
          ))}
        </select>
      ) : (
        <input
          className="field-input"
          id={id}
          type={control}
          step={control === 'number' ? 'any' : undefined}
          value={String(typed)}
          autoComplete="off"
          onChange={(event) => onType(event.currentTarget.value)}
        />
      )}
    </div>
  );
}
