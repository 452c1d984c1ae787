import * as z from 'zod/mini';
import { AccountFile } from './account-file.ts';
import { shapeOf } from './setting.ts';

/** One problem in an account file, with a message that says what to fix. */
export interface AccountFileProblem {
  /** Dotted path of the setting; empty for the file as a whole. */
  readonly at: string;
  readonly message: string;
}

/**
 * Reads an account file's JSON value and reports every problem, not only the first.
 *
 * @param current the account's settings so far, whose values stay where the file leaves a setting out
 */
export function readAccountFile(
  value: unknown,
  current: object = {},
): { ok: true; file: AccountFile } | { ok: false; problems: AccountFileProblem[] } {
  const whole = isPlainObject(value)
    ? withReadablePhone(completeSettings(AccountFile, current, keepSecretOfSameSite(value)))
    : value;
  const parsed = AccountFile.safeParse(whole, { reportInput: true });
  const problems = [
    ...(parsed.error?.issues.flatMap(describeIssue) ?? []),
    ...findPhoneProblems(value),
    ...findDayProblems(value),
  ];
  if (!parsed.success || problems.length > 0) return { ok: false, problems: unique(problems) };
  return { ok: true, file: parsed.data as AccountFile };

  function keepSecretOfSameSite(given: Settings): Settings {
    const { recaptcha } = given;
    const known = (current as Settings).recaptcha;
    if (!isPlainObject(recaptcha) || !isPlainObject(known)) return given;
    if (recaptcha.site_key === undefined || recaptcha.site_key === known.site_key) return given;
    // Another site's secret would refuse every voter.
    return { ...given, recaptcha: { secret_key: null, ...recaptcha } };
  }
}

type Settings = Readonly<Record<string, unknown>>;

/** `given` over `current`, setting by setting. Lists and tables are replaced as a whole; null resets to the default. */
function completeSettings(schema: z.core.$ZodType, current: unknown, given: Settings): Settings {
  const shape = shapeOf(schema) ?? {};
  const whole: Record<string, unknown> = isPlainObject(current) ? { ...current } : {};
  for (const [key, value] of Object.entries(given)) {
    const inner = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (value === null) delete whole[key];
    else if (inner && shapeOf(inner) && isPlainObject(value))
      whole[key] = completeSettings(inner, whole[key], value);
    else whole[key] = value;
  }
  return whole;
}

export function isPlainObject(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const phoneAdvice = 'must be a US phone number with its area code, such as (352) 555-0100';

/**
 * The ten digits of a typed US number, toll-free numbers included; undefined for anything else. An office's own number
 * may have an extension.
 */
function readDigits(typed: string): string | undefined {
  const [, number = ''] = /^([-+().\s\d]*?)\s*((,|ext\.?|x)\s*\d{1,6})?$/i.exec(typed) ?? [];
  const digits = number.replaceAll(/\D/g, '').replace(/^1(?=\d{10}$)/, '');
  // Area codes and exchanges begin with 2 to 9.
  return /^[2-9]\d{2}[2-9]\d{6}$/.test(digits) ? digits : undefined;
}

/** The number that calls come from, as E.164. */
function withReadablePhone(settings: Settings): Settings {
  const { from_voice: typed } = settings;
  const digits = typeof typed === 'string' ? readDigits(typed) : undefined;
  return digits === undefined ? settings : { ...settings, from_voice: `+1${digits}` };
}

// Beside the schema, which must go on reading numbers that were stored before they were checked.
function findPhoneProblems(given: unknown): AccountFileProblem[] {
  if (!isPlainObject(given)) return [];
  return (['contact_phone', 'from_voice'] as const).flatMap((at) => {
    const typed = given[at];
    const isWrong = typeof typed === 'string' && typed !== '' && readDigits(typed) === undefined;
    return isWrong ? [{ at, message: phoneAdvice }] : [];
  });
}

/** Beside the schema, too: a day that was stored before it was checked must not keep the account from being read. */
function findDayProblems(given: unknown): AccountFileProblem[] {
  const { envelope_fix: fix } = isPlainObject(given) ? given : {};
  const { closed } = isPlainObject(fix) ? fix : {};
  if (!Array.isArray(closed)) return [];
  return closed.flatMap((one: unknown, index) => {
    const isNoDay = /^\d{4}-\d{2}-\d{2}$/.test(String(one)) && !Day.safeParse(one).success;
    return isNoDay
      ? [{ at: `envelope_fix.closed.${index}`, message: 'must be a day of the calendar' }]
      : [];
  });
}

const Day = z.iso.date();

function unique(problems: readonly AccountFileProblem[]): AccountFileProblem[] {
  return [...new Map(problems.map((one) => [`${one.at} ${one.message}`, one])).values()];
}

const kinds: Readonly<Record<string, string>> = {
  string: 'must be text, in quotation marks',
  number: 'must be a number, without quotation marks',
  boolean: 'must be true or false, without quotation marks',
  array: 'must be a list: ["…", "…"]',
  object: 'must be a group of settings: {"…": …}',
  record: 'must be a group of settings: {"…": …}',
};

function describeIssue(issue: z.core.$ZodIssue): AccountFileProblem[] {
  const at = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(AccountFile.shape).join(', ');
    return issue.keys.map((key) => ({
      at: [...issue.path, key].join('.'),
      message: `is not a setting${issue.path.length === 0 ? `; the settings are ${known}` : ''}`,
    }));
  }
  if (issue.code === 'invalid_type' && issue.input === undefined) {
    return [{ at, message: issue.path.length === 0 ? 'must be one JSON object' : 'is missing' }];
  }
  if (issue.code === 'invalid_value') {
    return [{ at, message: `must be one of ${issue.values.map(String).join(', ')}` }];
  }
  if (issue.code === 'invalid_key') {
    return [{ at, message: issue.issues[0]?.message ?? issue.message }];
  }
  if (issue.code === 'invalid_type') {
    return [{ at, message: kinds[issue.expected] ?? `must be ${issue.expected}` }];
  }
  if (issue.code === 'too_big' && issue.message === 'Invalid input') {
    return [{ at, message: `must be at most ${issue.maximum} characters` }];
  }
  return [{ at, message: issue.message }];
}
