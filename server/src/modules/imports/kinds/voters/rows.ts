import { isLanguage } from '@ballot-beacon/contract/languages';
import { findTokenWeakness } from '../../../voters/index.ts';
import type { VoterField } from '../../formats/format.ts';
import { birthRange, type Day } from '../../read/dates.ts';
import { decodeEntities } from '../../read/entities.ts';
import {
  type Cells,
  explainId,
  isComputingError,
  type ReadRow,
  type RowReader,
  type StagedRow,
} from '../../read/row-reader.ts';
import { withoutSignIn } from '../gate-words.ts';
import type { FileReader, Reading } from '../kind.ts';

/** The columns of the roll that a file may have, as the staging table has them after `line` and `registration_id`. */
export const voterColumns = {
  firstname: 'text',
  middlename: 'text',
  lastname: 'text',
  suffix: 'text',
  address: 'text',
  city: 'text',
  county: 'text',
  precinct: 'text',
  birthdate: 'date',
  birthyear: 'smallint',
  state: 'text',
  zipcode: 'text',
  phone: 'text',
  email: 'text',
  language_preference: 'text',
  is_active: 'boolean',
  is_confidential: 'boolean',
} as const;
/** Contains a security token in the clear, and is in no table that stays. */
export const tokenColumn = 'security_token';
type VoterColumn = Exclude<VoterField, 'registration_id'>;
type Warn = (message: string) => void;

/** Longest text of each field, in characters (docs/formats/beacon-voters.md). */
const maximumLengths: Partial<Record<VoterColumn, number>> = {
  firstname: 60,
  middlename: 60,
  lastname: 60,
  suffix: 20,
  address: 200,
  city: 100,
  county: 100,
  precinct: 40,
};
const idLength = 40;
const tokenLength = { shortest: 4, longest: 100 };

interface FieldReader {
  readonly column: VoterColumn;
  /** Null where there is no value; an object for what refuses the row. */
  readonly read: (cells: Cells) => string | null | { readonly problem: string };
}

/**
 * How this file's rows become voters. A value that decides who may sign in is never guessed, but refuses the row; a contact value never costs a
 * voter the rest of it.
 */
export function createVoterReader({ reader, today, warn }: Reading): FileReader {
  const fields = [
    ...textFields(reader),
    ...birthFields(reader, today, warn),
    ...placeFields(reader, warn),
    ...contactFields(reader, warn),
    ...flagFields(reader),
    ...tokenFields(reader),
  ];
  const readId = reader.field('registration_id');
  const idLabel = reader.label('registration_id');
  const refuseId = (id: string) =>
    id.length > idLength
      ? `${idLabel} is longer than ${idLength} characters`
      : explainId(id, idLabel);
  const readers = fields.map(({ read }) => read);
  const missing = [
    ...(reader.has('birthdate') ? [] : ['birth dates']),
    ...(reader.has('zipcode') ? [] : ['ZIP codes']),
  ].join(' and no ');

  const readRow: ReadRow = (cells) => {
    const id = readId(cells);
    const badId = refuseId(id);
    if (badId !== null) return { problem: badId };
    const row: StagedRow = [id];
    for (const read of readers) {
      const value = read(cells);
      if (typeof value === 'object' && value !== null) return value;
      row.push(value);
    }
    if (missing !== '') warn(`the file has no ${missing}, so voters that it adds ${withoutSignIn}`);
    return row;
  };
  return { columns: ['registration_id', ...fields.map(({ column }) => column)], readRow };
}

/** A name or an address with a line end in it, as a spreadsheet's cell may have, is shown and said on one line. */
function onOneLine(text: string): string {
  return /[\r\n]/.test(text) ? text.replaceAll(/\s*[\r\n]+\s*/g, ' ').trim() : text;
}

function textFields(reader: RowReader): FieldReader[] {
  const present = (Object.entries(maximumLengths) as [VoterColumn, number][]).filter(([field]) =>
    reader.has(field),
  );
  return present.map(([field, longest]) => {
    const read = reader.field(field);
    const label = reader.label(field);
    const isRequired = field === 'lastname';
    return {
      column: field,
      read: (cells) => {
        const text = onOneLine(decodeEntities(read(cells)));
        if (text.length > longest)
          return { problem: `${label} is longer than ${longest} characters` };
        if (isRequired && text === '') return { problem: `${label} is empty` };
        if (isComputingError(text))
          return { problem: `${label} is an error of a spreadsheet, such as #N/A` };
        return text;
      },
    };
  });
}

function birthFields(reader: RowReader, today: Day, warn: Warn): FieldReader[] {
  const hasDay = reader.has('birthdate');
  const hasYear = reader.has('birthyear');
  if (!hasDay && !hasYear) return [];
  const range = birthRange(today);
  const readDay = reader.day('birthdate', range);
  const label = reader.label('birthdate');
  const day: FieldReader = {
    column: 'birthdate',
    read: (cells) => {
      const read = readDay(cells);
      if ('problem' in read) return { problem: `${label} ${read.problem}` };
      if (read.day === null) warn(`${label} is empty: the voter is kept but ${withoutSignIn}`);
      return read.day;
    },
  };
  const readYear = reader.field('birthyear');
  const yearLabel = reader.label('birthyear');
  const year: FieldReader = {
    column: 'birthyear',
    read: (cells) => {
      const ofDay = hasDay ? readDay(cells) : { day: null };
      if ('day' in ofDay && ofDay.day !== null) return ofDay.day.slice(0, 4);
      const text = readYear(cells);
      if (text === '') return null;
      const isYear =
        /^\d{4}$/.test(text) && text >= range.first.slice(0, 4) && text <= today.slice(0, 4);
      return isYear ? text : { problem: `${yearLabel} is not a year of birth` };
    },
  };
  return hasDay ? [day, year] : [year];
}

function placeFields(reader: RowReader, warn: Warn): FieldReader[] {
  const fields: FieldReader[] = [];
  if (reader.has('state')) {
    const read = reader.field('state');
    const problem = `${reader.label('state')} is not two letters`;
    fields.push({
      column: 'state',
      read: (cells) => {
        const text = read(cells);
        return text === '' || /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : { problem };
      },
    });
  }
  if (reader.has('zipcode')) {
    const read = reader.field('zipcode');
    const label = reader.label('zipcode');
    const isZip = /^\d{5}(?:[- ]?\d{4})?-?$/;
    fields.push({
      column: 'zipcode',
      read: (cells) => {
        const text = read(cells);
        if (text === '') warn(`${label} is empty: the voter is kept but ${withoutSignIn}`);
        else if (/^(?:\d{3,4}|\d{7,8})$/.test(text))
          return { problem: `${label} is too short. Did Excel drop the leading zeros?` };
        else if (!isZip.test(text)) return { problem: `${label} is not 5 or 9 digits` };
        return text.slice(0, 5);
      },
    });
  }
  return fields;
}

function contactFields(reader: RowReader, warn: Warn): FieldReader[] {
  const contact = (
    field: VoterColumn,
    usable: (text: string) => string,
    what: string,
    none: string | null,
  ): FieldReader[] => {
    const candidates = reader.candidates(field);
    if (candidates.length === 0) return [];
    const message = `${reader.label(field)} is ${what}, and was left empty`;
    const read = (cells: Cells) => {
      let hasText = false;
      for (const candidate of candidates) {
        const text = candidate(cells);
        if (text === '') continue;
        const value = usable(text);
        if (value !== '') return value;
        hasText = true;
      }
      if (hasText) warn(message);
      return none;
    };
    return [{ column: field, read }];
  };
  return [
    ...contact('phone', usablePhone, 'not a phone number', ''),
    ...contact('email', usableEmail, 'not an email address', ''),
    ...contact(
      'language_preference',
      usableLanguage,
      'not a language that voters can choose',
      null,
    ),
  ];
}

const words: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'y', 't', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'n', 'f', '0'].map((word) => [word, false] as const),
]);

function flagFields(reader: RowReader): FieldReader[] {
  const flag = (field: VoterColumn, whenEmpty: boolean): FieldReader[] => {
    if (!reader.has(field)) return [];
    const read = reader.field(field);
    const problem = `${reader.label(field)} must be yes or no`;
    return [
      {
        column: field,
        read: (cells) => {
          const text = read(cells).toLowerCase();
          const value = text === '' ? whenEmpty : words.get(text);
          return value === undefined ? { problem } : String(value);
        },
      },
    ];
  };
  return [...flag('is_active', true), ...flag('is_confidential', false)];
}

/** The token in the clear, for as long as the staging table lives; null leaves the voter's as it is. */
function tokenFields(reader: RowReader): FieldReader[] {
  if (!reader.has('security_token')) return [];
  const read = reader.field('security_token');
  const label = reader.label('security_token');
  const { shortest, longest } = tokenLength;
  const readKnown = (['registration_id', 'birthdate', 'zipcode'] as const)
    .filter((field) => reader.has(field))
    .map((field) => reader.field(field));
  return [
    {
      column: tokenColumn,
      read: (cells) => {
        const text = read(cells);
        if (text === '') return null;
        if (text.length < shortest || text.length > longest) {
          return { problem: `${label} is not ${shortest} to ${longest} characters` };
        }
        const weakness = findTokenWeakness(
          text,
          readKnown.map((readField) => readField(cells)),
        );
        return weakness === undefined ? text : { problem: `${label} ${weakness}` };
      },
    },
  ];
}

/** A telephone number as E.164, '' when it does not have ten digits. */
function usablePhone(text: string): string {
  const digits = text.replace(/\D/g, '');
  if (digits.length === 10) return `+1${digits}`;
  return digits.length === 11 && digits.startsWith('1') ? `+${digits}` : '';
}

function usableEmail(text: string): string {
  return text.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(text) ? text : '';
}

function usableLanguage(text: string): string {
  const name = text.toLowerCase();
  return isLanguage(name) ? name : '';
}
