import type { PreferencesPatch, VoterInformation } from '@ballot-beacon/contract/voter-information';
import { describe, expect, test } from 'vitest';
import { type ContactChannel, type Contacts, noChannel, noContacts } from '../contacts/index.ts';
import { withoutDetails } from './confidential.ts';
import { codeAddresses, hideContacts, isUnproven, refuseUnproven } from './contact-proof.ts';

const voter = {
  ...{
    firstname: 'Ann',
    birthyear: 1970,
    address: '1 Oak Street',
    city: 'Ocala',
    zipcode: '34471',
  },
  ...{ state: 'GA', county: 'Lake', email: 'ann@example.org', phone_sms: '+13525550142' },
  ...{ phone_voice: '+13525550143', pending_voice: '+13525550144', email_opt_in: true },
  ...{ sms_opt_in: true, voice_opt_in: true, is_confirmed: false, language_preference: 'spanish' },
} as unknown as VoterInformation;
const contacts = (channels: Partial<Record<'email' | 'sms' | 'voice', Partial<ContactChannel>>>) =>
  ({
    ...noContacts,
    channels: {
      email: { ...noChannel, ...channels.email },
      sms: { ...noChannel, ...channels.sms },
      voice: { ...noChannel, ...channels.voice },
    },
  }) as Contacts;

test('a confidential voter’s page has a name, and nothing of where the voter lives or is reached', () => {
  expect(withoutDetails(voter, { state: 'FL', county: 'Adams' })).toEqual({
    ...{ firstname: 'Ann', language_preference: 'spanish', state: 'FL', county: 'Adams' },
    ...{ birthyear: null, address: '', city: '', zipcode: '', email: '', phone_sms: '' },
    ...{ phone_voice: '', pending_voice: '', email_opt_in: false, sms_opt_in: false },
    ...{ voice_opt_in: false, is_confirmed: true, is_confidential: true },
  });
});

describe('addresses that an office hides', () => {
  test('are masked on every channel, the number too that has not called yet', () => {
    expect(hideContacts(voter, ['email', 'sms'])).toEqual({
      ...voter,
      ...{ email: 'a•••@example.org', phone_sms: '•••-0142', phone_voice: '•••-0143' },
      ...{ pending_voice: '•••-0144', hidden_contacts: { code_channels: ['email', 'sms'] } },
    });
  });

  const none = { ...voter, email: '', phone_sms: '', phone_voice: '', pending_voice: '' };
  test.each(['email', 'phone_sms', 'phone_voice', 'pending_voice'])(
    'are hidden where %s alone is there, and what is not there stays empty',
    (name) => {
      const hidden = hideContacts({ ...none, [name]: '+13525550142' } as VoterInformation, []);
      expect(hidden).toHaveProperty('hidden_contacts');
      expect(JSON.stringify(hidden)).not.toContain('5550142');
      const others = ['email', 'phone_sms', 'phone_voice', 'pending_voice'].filter(
        (one) => one !== name,
      );
      for (const other of others) expect(hidden).toHaveProperty(other, '');
    },
  );

  test('are none where there is nothing to hide', () => expect(hideContacts(none, [])).toBe(none));

  test.each([
    ['masked', false, true],
    ['masked', true, false],
    ['none', false, false],
  ])(
    'are those of an office with the setting %s and a session with proof: %s',
    (setting, hasContactProof, hidden) => {
      const site = { account: { settings: { contact_proof: setting } } };
      expect(isUnproven({ site, hasContactProof } as never)).toBe(hidden);
    },
  );
});

describe('a code can go', () => {
  const settings = { from_voice: '+13525550100', delivery_types: ['email', 'sms', 'voice'] };
  const all = {
    email: { address: 'ann@example.org' },
    sms: { address: '+13525550142' },
    voice: { address: '+13525550143' },
  };
  const channelsOf = (of: Parameters<typeof contacts>[0], more: object = {}) => [
    ...codeAddresses(contacts(of), { ...settings, ...more } as never).entries(),
  ];

  test('to each address that is on file', () => {
    expect(channelsOf(all)).toEqual([
      ['email', 'ann@example.org'],
      ['sms', '+13525550142'],
      ['voice', '+13525550143'],
    ]);
    expect(channelsOf({ voice: { pendingAddress: '+13525550144' } })).toEqual([]);
  });

  test.each([
    ['email', { ...all, email: { ...all.email, status: 'unusable' } }, {}],
    ['sms', { ...all, sms: { ...all.sms, status: 'stopped' } }, {}],
    ['voice', { ...all, voice: { ...all.voice, status: 'stopped' } }, {}],
    ['voice', all, { from_voice: null }],
    ['email', all, { delivery_types: ['sms', 'voice'] }],
    ['sms', { ...all, sms: { address: '' } }, {}],
  ] as const)('not by %s where it may not be used', (channel, of, more) => {
    const others = ['email', 'sms', 'voice'].filter((one) => one !== channel);
    expect(channelsOf(of, more).map(([one]) => one)).toEqual(others);
  });
});

describe('without proof', () => {
  const before = contacts({ email: { address: 'ann@example.org', isOptedIn: true } });
  const refusedOf = (patch: PreferencesPatch, of: Contacts = before) =>
    refuseUnproven(of, patch).map(({ field }) => field);

  test.each<readonly [PreferencesPatch, readonly string[]]>([
    [{ email: 'ann@example.org' }, ['email']],
    [{ email: '' }, ['email']],
    [{ phone_sms: null }, ['phone_sms']],
    [{ phone_voice: '3525550142' }, ['phone_voice']],
    [{ sms_opt_in: true }, ['sms_opt_in']],
    [{ voice_opt_in: true }, ['voice_opt_in']],
    [{ email_opt_in: true }, []],
    [{ email_opt_in: false, sms_opt_in: false, voice_opt_in: false }, []],
    [{ language_preference: 'spanish' }, []],
    [{ email: 'x', sms_opt_in: true }, ['email', 'sms_opt_in']],
  ])('%j is refused at %j', (patch, fields) => expect(refusedOf(patch)).toEqual(fields));

  test('a voter who is not opted in by email cannot be', () => {
    const off = contacts({ email: { address: 'ann@example.org' } });
    expect(refusedOf({ email_opt_in: true }, off)).toEqual(['email_opt_in']);
  });

  test('a voter without any address may give one, and not one whose number has yet to call', () => {
    expect(refusedOf({ email: 'ann@example.org', email_opt_in: true }, noContacts)).toEqual([]);
    const pending = contacts({ voice: { pendingAddress: '+13525550144' } });
    expect(refusedOf({ email: 'ann@example.org' }, pending)).toEqual(['email']);
  });
});
