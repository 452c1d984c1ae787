import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { createMessageCounty, type MessageCounty } from '../../../../../testing/messages.ts';
import { sampleTexts } from './preview.ts';

let county: MessageCounty;
afterEach(() => county.drop());

const shipped = new URL('../../../../../locales/english/messages.json', import.meta.url);
const keys = Object.keys(JSON.parse(readFileSync(shipped, 'utf8')));

test.each([
  ['an email address', {}, 'mail.contact-by-phone'],
  ['a phone alone', { contact_email: '' }, 'mail.contact'],
])(
  'of an office with %s, the sample of a text is a message that has this text in it',
  async (_what, settings, unused) => {
    county = await createMessageCounty(['V001'], { settings });
    const { database, config, account } = county;
    const without: string[] = [];
    const other: string[] = [];
    for (const key of keys) {
      const draft = { key, value: 'Written here.' };
      const samples = await sampleTexts(database.system, config, account.accountId, {
        ...{ language: 'english', keys: [key], draft },
      });
      const sample = samples.get(key);
      if (!sample) without.push(key);
      else if (!`${sample.subject}\n${sample.body}`.includes(draft.value)) other.push(key);
    }
    expect(other).toEqual([]);
    // What answers a call, stands in a letter, or is in no message of this office.
    expect(without.sort()).toEqual([
      ...['letter.fix.next', unused, 'voice.confirmed', 'voice.stopped', 'voice.unknown'],
    ]);
  },
);
