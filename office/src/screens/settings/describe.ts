import type { SettingField, SettingsCheckAnswer } from '@ballot-beacon/contract/office/settings';
import { languageName, nameOf, statusName, t } from '../../words/index.ts';

export type Problem = SettingsCheckAnswer['problems'][number];

export function fieldName(at: string): string {
  return at === '' ? t('settings.wholeFile') : nameOf('setting.name', at);
}

export function columnName(at: string, column: string): string {
  return nameOf('setting.column', `${at}.${column}`);
}

/** One of the values that a setting can have, in a clerk's words. */
export function optionName(at: string, option: string): string {
  if (at === 'languages') return languageName(option);
  if (at === 'notifying_statuses') return statusName(option);
  if (at === 'delivery_types') return nameOf('channel', option);
  return nameOf('setting.option', option);
}

/** A setting's whole value on one line. */
export function describeValue(at: string, value: unknown): string {
  if (typeof value === 'boolean') return t(value ? 'settings.yes' : 'settings.no');
  if (value === null || value === undefined || value === '') return t('settings.empty');
  if (Array.isArray(value)) {
    const shown = value.map((one) =>
      typeof one === 'object' && one !== null
        ? Object.values(one).map(String).join(' ')
        : optionName(at, String(one)),
    );
    return shown.length === 0 ? t('settings.empty') : shown.join(', ');
  }
  if (typeof value === 'object') {
    const shown = Object.entries(value).map(([name, under]) => {
      const label = columnName(at, name);
      return `${label === `${at}.${name}` ? name : label}: ${describeValue(at, under)}`;
    });
    return shown.length === 0 ? t('settings.empty') : shown.join(', ');
  }
  return typeof value === 'string' ? optionName(at, value) : String(value);
}

/** The problems of one setting, or of something in it. */
export function problemsOf({ at }: SettingField, problems: readonly Problem[]): Problem[] {
  return problems.filter((one) => one.at === at || one.at.startsWith(`${at}.`));
}

/** A problem as a sentence. @param field the setting that it is in, if a form shows it */
export function describeProblem(field: SettingField | undefined, { at, message }: Problem): string {
  if (!field) return t('settings.problem', { name: fieldName(at), message });
  const inside = at
    .slice(field.at.length + 1)
    .split('.')
    .filter(Boolean)
    .map((part) => {
      if (/^\d+$/.test(part) && field.control !== 'table')
        return t('settings.row', { number: Number(part) + 1 });
      const name = columnName(field.at, part);
      return name === `${field.at}.${part}` ? part : name;
    });
  return t('settings.problem', { name: [fieldName(field.at), ...inside].join(', '), message });
}
