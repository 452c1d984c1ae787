import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readDefect } from './reasons.ts';

const formats = new URL('../imports/formats/', import.meta.url);

describe('The reason of an office', () => {
  test.each([
    [
      'voter-focus-ballots',
      'N',
      "No signature, voter's certificate not signed",
      'signature-missing',
    ],
    ['voter-focus-ballots', 'S', 'Signature differs from signature on file', 'signature-differs'],
    ['voter-focus-ballots', 'S', '', 'signature-differs'],
    ['voter-focus-ballots', ' S ', '', 'signature-differs'],
    // A county defines its codes itself, so what it writes beside one counts.
    ['voter-focus-ballots', 'S', 'Wrong envelope used', 'wrong-envelope'],
    ['voter-focus-ballots', 'Q', 'Board referral', 'other'],
    ['nc-absentee', '', 'WITNESS INFO INCOMPLETE', 'witness-or-envelope-incomplete'],
    ['nc-absentee', '', 'PHOTO ID CURABLE', 'id-missing'],
    ['pa-ballots', '', 'PEND – NO SECRECY ENVELOPE', 'wrong-envelope'],
    ['pa-ballots', '', 'PEND - NO DATE', 'witness-or-envelope-incomplete'],
    ['wa-ballots', '', 'Signature Does Not Match', 'signature-differs'],
    ['wa-ballots', '', 'Unsigned', 'signature-missing'],
    ['me-absentee', 'SNR', '', 'other'],
    ['beacon-ballots', 'id-missing', '', 'id-missing'],
    ['beacon-ballots', 'mismatch-voter-signature', '', 'signature-differs'],
    ['an-office-of-its-own', '7', 'Missing signature', 'signature-missing'],
    ['', '', '', 'other'],
  ])('%s code "%s", "%s" means %s', (format, code, reason, defect) => {
    expect(readDefect({ format, code, reason })).toBe(defect);
  });

  test('is mapped for formats that exist', () => {
    const { formats: mapped } = JSON.parse(
      readFileSync(new URL('./reasons.json', import.meta.url), 'utf8'),
    );
    for (const name of Object.keys(mapped))
      expect(JSON.parse(readFileSync(new URL(`${name}.json`, formats), 'utf8')).name).toBe(name);
  });
});
