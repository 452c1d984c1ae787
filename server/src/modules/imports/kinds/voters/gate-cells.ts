import { formatCount } from '../gate-words.ts';

/** A column of the roll in which known voters have another value than before. */
export interface ChangedColumn {
  readonly name: keyof typeof words;
  readonly changed: number;
  /** Voters with the value that another of these, in a line near, had before. */
  readonly moved: number;
  /** Of the values that several of these have now, in lines near each other, the most voters of one. */
  readonly repeated: number;
  /** Of birth dates, those that are a day before, or after, what they were. */
  readonly dayEarlier: number;
  readonly dayLater: number;
}

const words = {
  lastname: 'last name',
  birthdate: 'birth date',
  address: 'address',
  phone: 'phone number',
  email: 'email address',
} as const;
const effects: Readonly<Record<ChangedColumn['name'], string>> = {
  lastname: 'They could no longer sign in with their own.',
  birthdate: 'They could no longer sign in with their own.',
  address: 'They would see it on their page.',
  phone: 'Messages would reach other people.',
  email: 'Messages would reach other people.',
};

export type CellFault = 'cells-moved' | 'cell-copied' | 'birthdates-shifted';

/** Families take one name, move in chains and share a telephone. */
const most = 5;

/** What a spreadsheet does to a few cells of a column and no clerk does voter by voter. */
export function judgeCells(
  column: ChangedColumn,
): { code: CellFault; detail: string; rows: number } | null {
  const { name, changed, moved, repeated, dayEarlier, dayLater } = column;
  if (moved > most && moved * 2 > changed)
    return {
      ...{ code: 'cells-moved', rows: moved },
      detail: `${formatCount(moved)} voters would get the ${words[name]} that another voter had before, who would get another one, too. ${effects[name]} Did the column move by a row in a part of the file?`,
    };
  // All who move into a home have its address.
  if (repeated > most && name !== 'address')
    return {
      ...{ code: 'cell-copied', rows: repeated },
      detail: `${formatCount(repeated)} voters would all get the same ${words[name]}, which they did not have before. ${effects[name]} Was a cell copied down?`,
    };
  const shifted = Math.max(dayEarlier, dayLater);
  if (shifted > most && shifted * 2 > changed)
    return {
      ...{ code: 'birthdates-shifted', rows: shifted },
      detail: `${formatCount(shifted)} of ${formatCount(changed)} voters whose birth date changes would be born exactly one day ${dayEarlier > dayLater ? 'earlier' : 'later'}, and could no longer sign in with their own. Did a program change the time zone of dates?`,
    };
  return null;
}
