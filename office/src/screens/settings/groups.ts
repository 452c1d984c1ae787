import {
  type SettingField,
  type SettingGroup,
  settingGroupNames,
  settingGroups,
} from '@ballot-beacon/contract/office/settings';

/** @param name the first part of settings' names */
export function isOf(name: string): (field: SettingField) => boolean {
  return ({ at }) => at.split('.')[0] === name;
}

/** The group of settings in which a person finds this one. */
export function groupOf(field: SettingField): SettingGroup {
  const contains = (group: SettingGroup) =>
    settingGroups[group].some((name: string) => isOf(name)(field));
  return settingGroupNames.find(contains) ?? 'office';
}
