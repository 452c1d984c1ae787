import type { Situation } from '../cast.ts';

/** How the office's roll spells a cast member; everything else is invented or as typed. */
export interface RollEntry {
  readonly firstname?: string;
  readonly middlename?: string;
  readonly lastname?: string;
  readonly suffix?: string;
  readonly address?: string;
  readonly zipPlusFour?: string;
  readonly languagePreference?: string;
  readonly isActive?: false;
  readonly isConfidential?: true;
}

export const castRoll: Partial<Record<Situation, RollEntry>> = {
  accepted: { middlename: 'Jean' },
  sent: { middlename: 'T' },
  undeliverable: { firstname: 'Tuyết', lastname: 'Lâm', middlename: 'Thi' },
  reprinted: { zipPlusFour: '0417' },
  ambiguousFirst: { middlename: 'Allen' },
  ambiguousSecond: { middlename: 'Earl' },
  ambiguousAccent: { firstname: 'María', lastname: 'García' },
  ambiguousPlain: { firstname: 'Maria', lastname: 'Garcia', middlename: 'E' },
  noFirstName: { firstname: '' },
  accent: { firstname: 'José', middlename: 'Ángel', lastname: 'Núñez' },
  hyphen: { firstname: 'Mary-Kate', lastname: 'Delacroix-Boudreaux' },
  apostrophe: { lastname: "O'Brien" },
  curlyApostrophe: { lastname: 'D’Angelo', middlename: 'M' },
  token: { address: '118 Heron Way, Apt 4', languagePreference: 'english' },
  tokenSent: {
    middlename: 'Ángel',
    lastname: 'Marín',
    suffix: 'Jr',
    address: '2204 Cattail Rd',
    zipPlusFour: '2204',
    languagePreference: 'spanish',
  },
  tokenFather: {
    middlename: 'Ángel',
    lastname: 'Marín',
    suffix: 'Sr',
    address: '2204 Cattail Rd',
    zipPlusFour: '2204',
    languagePreference: 'spanish',
  },
  tokenAmbiguousFirst: { middlename: 'Thu', languagePreference: 'vietnamese' },
  tokenAmbiguousSecond: { middlename: 'K' },
  inactive: { isActive: false },
  confidential: { isConfidential: true },
};
