import {
  orderedSettings,
  type SettingColumn,
  type SettingField,
} from '@ballot-beacon/contract/office/settings';
import type { ReactNode } from 'react';
import { nameOf, t } from '../../words/index.ts';
import { Cell } from './cell.tsx';
import { describeValue, optionName } from './describe.ts';
import { Rows } from './rows.tsx';
import { columnsFor, type Row, type Typed } from './state.ts';

/** Where a setting's first control is found, for a link to it. */
export const idOf = (at: string) => `setting-${at}`;

interface FieldProps {
  readonly field: SettingField;
  readonly typed: Typed;
  readonly isChanged: boolean;
  readonly errors: readonly string[];
  readonly onType: (typed: Typed) => void;
}

/** A setting with its name, its help, what is wrong with it, and the control that it needs. */
export function SettingInput(props: FieldProps) {
  const { field, typed, onType } = props;
  const { at, control, columns, options } = field;
  const id = idOf(at);
  if (control === 'choices') {
    const chosen = typed as readonly string[];
    return (
      <Group {...props}>
        {orderedSettings.includes(at) ? (
          <Rows
            at={at}
            columns={[choiceOf(options)]}
            rows={chosen.map((value) => ({ value }))}
            isOrdered
            newRow={{ value: options.find((one) => !chosen.includes(one)) ?? '' }}
            onChange={(rows) => onType(rows.map(({ value }) => String(value)))}
          />
        ) : (
          options.map((option) => (
            <label key={option}>
              <input
                type="checkbox"
                checked={chosen.includes(option)}
                onChange={({ currentTarget: { checked } }) =>
                  onType(checked ? [...chosen, option] : chosen.filter((one) => one !== option))
                }
              />
              <span>{optionName(at, option)}</span>
            </label>
          ))
        )}
      </Group>
    );
  }
  if (control === 'list' || control === 'rows' || control === 'table')
    return (
      <Group {...props}>
        <Rows at={at} columns={columns} rows={typed as readonly Row[]} onChange={onType} />
      </Group>
    );
  if (control === 'group') {
    const [row = {}] = typed as readonly Row[];
    return (
      <Group {...props}>
        <div className="setting-row">
          {columnsFor(columns, row).map((column, position) => (
            <Cell
              key={column.name}
              id={position === 0 ? id : `${id}.${column.name}`}
              at={at}
              column={column}
              typed={row[column.name] ?? ''}
              onType={(value) => onType([{ ...row, [column.name]: value }])}
            />
          ))}
        </div>
      </Group>
    );
  }
  return <Single {...props} control={control} />;
}

/** The one column of a list whose values are options. */
function choiceOf(options: string[]): SettingColumn {
  return { name: 'value', control: 'choice', options, is_optional: false, only_for: [] };
}

function Single({
  field: { at, options, is_optional: isOptional, fallback },
  control,
  typed,
  isChanged,
  errors,
  onType,
}: FieldProps & { readonly control: 'text' | 'time' | 'number' | 'switch' | 'choice' }) {
  const id = idOf(at);
  const described = { 'aria-describedby': `${id}-help`, 'aria-invalid': errors.length > 0 };
  const help = (
    <Help id={id} at={at} errors={errors} fallback={control === 'switch' ? null : fallback} />
  );
  if (control === 'switch')
    return (
      <div className="field" data-invalid={errors.length > 0 ? '' : undefined}>
        <label className="setting-switch">
          <input
            id={id}
            type="checkbox"
            checked={typed === true}
            onChange={(event) => onType(event.currentTarget.checked)}
            {...described}
          />
          <span className="field-label">
            {nameOf('setting.name', at)} <Changed isChanged={isChanged} />
          </span>
        </label>
        {help}
      </div>
    );
  return (
    <div className="field" data-invalid={errors.length > 0 ? '' : undefined}>
      <label className="field-label" htmlFor={id}>
        {nameOf('setting.name', at)} <Changed isChanged={isChanged} />
      </label>
      {help}
      {control === 'choice' ? (
        <select
          className="field-input"
          id={id}
          value={String(typed)}
          onChange={(event) => onType(event.currentTarget.value)}
          {...described}
        >
          {isOptional && <option value="">{t('settings.empty')}</option>}
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
          {...described}
        />
      )}
    </div>
  );
}

/** Several controls of one setting. */
function Group({
  field: { at },
  isChanged,
  errors,
  children,
}: FieldProps & { readonly children: ReactNode }) {
  const id = idOf(at);
  return (
    <fieldset
      className="ticks setting-group"
      id={`${id}-group`}
      tabIndex={-1}
      aria-describedby={`${id}-help`}
    >
      <legend className="field-label">
        {nameOf('setting.name', at)} <Changed isChanged={isChanged} />
      </legend>
      <Help id={id} at={at} errors={errors} fallback={null} />
      {children}
    </fieldset>
  );
}

function Help({
  id,
  at,
  errors,
  fallback,
}: {
  readonly id: string;
  readonly at: string;
  readonly errors: readonly string[];
  readonly fallback: unknown;
}) {
  const usual = fallback === null || fallback === '' ? '' : describeValue(at, fallback);
  return (
    <div id={`${id}-help`}>
      <p className="field-hint">
        {nameOf('setting.help', at)} {usual && t('settings.usual', { value: usual })}
      </p>
      {errors.map((one) => (
        <p key={one} className="field-error">
          {one}
        </p>
      ))}
    </div>
  );
}

function Changed({ isChanged }: { readonly isChanged: boolean }) {
  return isChanged && <span className="badge badge-caution">{t('settings.changed')}</span>;
}
