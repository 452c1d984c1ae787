import * as z from 'zod/mini';

/**
 * The settings of an account file in groups that a clerk understands, by the first part of their names. The subdomain is
 * changed by the operator alone, and images have a place of their own.
 */
export const settingGroups = {
  office: [
    ...['name', 'county', 'state', 'time_zone'],
    ...['contact_phone', 'phone_hours', 'contact_email', 'url'],
  ],
  page: [
    ...['languages', 'accent_color', 'is_ballot_status_dates_visible'],
    ...['frame_ancestors', 'analytics', 'launchdarkly_client_id'],
  ],
  'sign-in': ['is_token_required', 'contact_proof', 'recaptcha'],
  messages: [
    ...['delivery_types', 'notifying_statuses', 'reports_counted', 'quiet_hours'],
    ...['from_voice', 'short_code', 'sending_limits', 'daily_request_limits'],
    ...['message_retention_days', 'election_retention_days'],
  ],
  files: ['feeds', 'import_limits'],
  fixes: ['envelope_fix'],
  mail: ['stopped_mail', 'mail'],
} as const;

export type SettingGroup = keyof typeof settingGroups;
export const settingGroupNames = Object.keys(settingGroups) as [SettingGroup, ...SettingGroup[]];

/** Settings whose values have an order of their own. */
export const orderedSettings: readonly string[] = ['languages'];

const SettingColumn = z.object({
  name: z.string(),
  control: z.enum(['text', 'time', 'number', 'switch', 'choice']),
  /** Of a choice. */
  options: z.array(z.string()),
  is_optional: z.boolean(),
  /** The choices of the first column for which this one is filled in; empty: for all. */
  only_for: z.array(z.string()),
});
export type SettingColumn = z.infer<typeof SettingColumn>;

const SettingField = z.object({
  /** Dotted, as in an account file: `quiet_hours.start`. */
  at: z.string(),
  /**
   * How it is filled in: `choices` are several of the options; `list` has a value in each row, `rows` a group of
   * settings, and `table` a name and what stands under it; `group` is one group of settings, or nothing.
   */
  control: z.enum([
    ...['text', 'time', 'number', 'switch', 'choice', 'choices', 'list', 'rows', 'table'],
    'group',
  ] as const),
  options: z.array(z.string()),
  columns: z.array(SettingColumn),
  is_optional: z.boolean(),
  /** As in an account file, without secrets. */
  value: z.unknown(),
  /** The value where the office has chosen none. */
  fallback: z.unknown(),
});
export type SettingField = z.infer<typeof SettingField>;

export const SettingsAnswer = z.object({
  /** Changes whenever a setting does. */
  version: z.string(),
  fields: z.array(SettingField),
});
export type SettingsAnswer = z.infer<typeof SettingsAnswer>;

const accountFileText = z
  .string()
  .check(z.maxLength(60_000, 'This file is too long to be an account file.'));

/** An account file, or a part of one: what it leaves out stays. */
export const SettingsCheck = z.strictObject({ text: accountFileText });

export const SettingsChange = z.strictObject({
  text: accountFileText,
  /** Of the settings that the change was checked against. */
  version: z.string().check(z.maxLength(64)),
});

const ChangedSetting = z.object({ at: z.string(), from: z.unknown(), to: z.unknown() });
export type ChangedSetting = z.infer<typeof ChangedSetting>;

export const SettingsCheckAnswer = z.object({
  version: z.string(),
  /** What must be corrected first; nothing would be changed while there is any. `at` is empty for the file as a whole. */
  problems: z.array(z.object({ at: z.string(), message: z.string() })),
  changes: z.array(ChangedSetting),
  /** Images that the file names, which stay as they are. */
  ignored: z.array(z.enum(['logo', 'background'])),
  /** Voters whose every alert goes by a channel that the file no longer offers: none would reach them. */
  unreached: z.int(),
});
export type SettingsCheckAnswer = z.infer<typeof SettingsCheckAnswer>;

export const SettingsChanged = z.object({ changes: z.array(ChangedSetting) });
