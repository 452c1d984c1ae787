import { languageNames } from '@ballot-beacon/contract/languages';
import type { VoterField } from './format.ts';
import {
  fieldLabel,
  fieldText,
  fieldWritten,
  hasField,
  quoteText,
  type StagedFile,
  usableEmail,
  usablePhone,
} from './staged-sql.ts';

/** Longest text of each field, in characters (docs/formats/beacon-voters.md). */
const maximumLengths: Partial<Record<VoterField, number>> = {
  registration_id: 40,
  firstname: 60,
  middlename: 60,
  lastname: 60,
  suffix: 20,
  address: 200,
  city: 100,
  county: 100,
  precinct: 40,
  security_token: 100,
};
const shortestToken = 4;

const trueWords = "('true', 'yes', 'y', 't', '1')";
const falseWords = "('false', 'no', 'n', 'f', '0')";

export interface VoterColumn {
  readonly name: string;
  /** SQL of the value that a voter row gets. */
  readonly value: string;
}

/** The columns of `voters` that this file fills, besides its key. */
export function voterColumns(file: StagedFile): VoterColumn[] {
  const columns: VoterColumn[] = [];
  const text = (field: VoterField, value = fieldText(file, field)) => {
    if (hasField(file, field)) columns.push({ name: field, value });
  };
  for (const field of ['firstname', 'middlename', 'lastname', 'suffix'] as const) text(field);
  if (hasField(file, 'birthdate')) columns.push({ name: 'birthdate', value: 'birth.day' });
  const year = hasField(file, 'birthyear')
    ? `case when ${fieldText(file, 'birthyear')} ~ '^[0-9]{4}$' then ${fieldText(file, 'birthyear')}::smallint end`
    : undefined;
  if (hasField(file, 'birthdate') || year) {
    const ofDay = hasField(file, 'birthdate') ? ['extract(year from birth.day)::smallint'] : [];
    const value = `coalesce(${[...ofDay, ...(year ? [year] : [])].join(', ')})`;
    columns.push({ name: 'birthyear', value });
  }
  for (const field of ['address', 'city', 'county', 'precinct'] as const) text(field);
  text('state', `upper(${fieldText(file, 'state')})`);
  text('zipcode', `left(${zipDigits(file)}, 5)`);
  text('phone', fieldText(file, 'phone', usablePhone));
  text('email', fieldText(file, 'email', usableEmail));
  if (hasField(file, 'language_preference')) {
    columns.push({
      name: 'language_preference',
      value: `nullif(${fieldText(file, 'language_preference', usableLanguage)}, '')`,
    });
  }
  for (const [field, whenEmpty] of [
    ['is_active', true],
    ['is_confidential', false],
  ] as const) {
    const word = `lower(${fieldText(file, field)})`;
    const value = `case when ${word} in ${trueWords} then true when ${word} in ${falseWords} then false else ${whenEmpty} end`;
    if (hasField(file, field)) columns.push({ name: field, value });
  }
  if (hasField(file, 'security_token')) columns.push({ name: 'token_hash', value: 'token.hash' });
  return columns;
}

/**
 * The file's rows as voters: `row_no`, `registration_id`, the columns of {@link voterColumns}, and `problem`, why the
 * row is refused, null when it is not. Ordered by registration ID, which makes repeats neighbours and spares the index.
 */
export function judgedVoters(file: StagedFile): string {
  const columns = voterColumns(file);
  const id = fieldText(file, 'registration_id');
  const repeated = `${fieldLabel(file, 'registration_id')} is on an earlier line too`;
  return `
    select row_no, registration_id, ${columns.map(({ name }) => `${name}, `).join('')}
      coalesce(problem, case when registration_id =
        lag(registration_id) over (order by registration_id collate "C", row_no)
        then ${quoteText(repeated)} end) as problem
    from (
      select s.row_no, ${id} as registration_id,
        ${columns.map(({ name, value }) => `${value} as ${name}, `).join('\n        ')}
        ${problemOf(file)} as problem
      from staged s
      ${hasField(file, 'birthdate') ? `left join days birth on birth.written = ${fieldText(file, 'birthdate')}` : ''}
      ${hasField(file, 'security_token') ? 'left join tokens token on token.row_no = s.row_no' : ''}
    ) typed`;
}

/** SQL of each count that the report warns of. */
export function voterWarnings(file: StagedFile): { message: string; condition: string }[] {
  const warnings: { message: string; condition: string }[] = [];
  const dropped = (field: VoterField, usable: (text: string) => string, what: string) => {
    if (!hasField(file, field)) return;
    const condition = `${fieldWritten(file, field)} <> '' and ${fieldText(file, field, usable)} = ''`;
    warnings.push({
      message: `${fieldLabel(file, field)} is ${what}, and was left empty`,
      condition,
    });
  };
  dropped('phone', usablePhone, 'no telephone number');
  dropped('email', usableEmail, 'no email address');
  dropped('language_preference', usableLanguage, 'no language of the product');
  for (const field of ['birthdate', 'zipcode'] as const) {
    if (!hasField(file, field)) continue;
    const message = `${fieldLabel(file, field)} is empty: the voter is kept but cannot sign in`;
    warnings.push({ message, condition: `${fieldText(file, field)} = ''` });
  }
  return warnings;
}

function problemOf(file: StagedFile): string {
  const cases: string[] = [];
  const refuse = (condition: string, message: string) =>
    cases.push(`when ${condition} then ${quoteText(message)}`);
  const label = (field: VoterField) => fieldLabel(file, field);

  for (const field of ['registration_id', 'lastname'] as const) {
    refuse(`${fieldText(file, field)} = ''`, `${label(field)} is empty`);
  }
  for (const [field, length] of Object.entries(maximumLengths) as [VoterField, number][]) {
    if (!hasField(file, field)) continue;
    const isLong = `length(${fieldText(file, field)}) > ${length}`;
    refuse(isLong, `${label(field)} is longer than ${length} characters`);
  }
  if (hasField(file, 'birthdate')) {
    cases.push(
      `when birth.problem is not null then ${quoteText(`${label('birthdate')} `)} || birth.problem`,
    );
  }
  if (hasField(file, 'birthyear')) {
    const year = fieldText(file, 'birthyear');
    const isYear = `${year} ~ '^(19|20)[0-9]{2}$' and ${year} <= to_char(now(), 'YYYY')`;
    refuse(`${year} <> '' and not (${isYear})`, `${label('birthyear')} is not a year of birth`);
  }
  if (hasField(file, 'zipcode')) {
    const zip = zipDigits(file);
    const isZip = `length(${zip}) in (0, 5, 9) and translate(${zip}, '0123456789', '') = ''`;
    refuse(`not (${isZip})`, `${label('zipcode')} is not 5 or 9 digits`);
  }
  if (hasField(file, 'state')) {
    const state = fieldText(file, 'state');
    refuse(
      `${state} <> '' and ${state} !~ '^[A-Za-z]{2}$'`,
      `${label('state')} is not two letters`,
    );
  }
  for (const field of ['is_active', 'is_confidential'] as const) {
    if (!hasField(file, field)) continue;
    const word = `lower(${fieldText(file, field)})`;
    const isWord = `${word} = '' or ${word} in ${trueWords} or ${word} in ${falseWords}`;
    refuse(`not (${isWord})`, `${label(field)} is neither true nor false`);
  }
  if (hasField(file, 'security_token')) {
    const isShort = `length(${fieldText(file, 'security_token')}) between 1 and ${shortestToken - 1}`;
    refuse(isShort, `${label('security_token')} is shorter than ${shortestToken} characters`);
  }
  return `case ${cases.join('\n          ')} end`;
}

function zipDigits(file: StagedFile): string {
  return `translate(${fieldText(file, 'zipcode')}, '- ', '')`;
}

function usableLanguage(text: string): string {
  const names = languageNames.map(quoteText).join(', ');
  return `case when lower(${text}) in (${names}) then lower(${text}) else '' end`;
}
