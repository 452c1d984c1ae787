import type { PreferencesPatch } from '@ballot-beacon/contract/voter-information';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../testing/runs.ts';
import { type Contacts, isReachable, noContacts } from '../contacts/index.ts';
import { findNewlyUsed, hasMoved, type Offer, planSave } from './rules.ts';
import { type ContactFields, toContactFields } from './wide-shape.ts';

const offer: Offer = { languages: ['english', 'spanish'], channels: ['email', 'sms', 'voice'] };
const phone = '+13525550100';
const other = '+13525550199';

type Preferences = ContactFields & { readonly language_preference: string | null };
const shown = (contacts: Contacts): Preferences => ({
  ...toContactFields(contacts),
  language_preference: contacts.language,
});
const noPreferences = shown(noContacts);

/** What is on record, as the page shows it. */
function onRecord(given: Partial<Preferences>): Contacts {
  const p = { ...noPreferences, ...given };
  const proof = { true: 'proven', false: 'unusable', null: 'unproven' } as const;
  const texts = {
    none: 'unproven',
    pending: 'unproven',
    active: 'proven',
    'opted-out': 'stopped',
  } as const;
  return {
    language: p.language_preference,
    isConfirmed: p.is_confirmed,
    channels: {
      email: {
        address: p.email,
        status: proof[`${p.is_valid_email}`],
        isOptedIn: p.email_opt_in,
        pendingAddress: '',
        start: p.email_do_not_contact_before,
        end: p.email_do_not_contact_after,
      },
      sms: {
        address: p.phone_sms,
        status: texts[p.sms_status],
        isOptedIn: p.sms_opt_in,
        pendingAddress: '',
        start: p.sms_do_not_contact_before,
        end: p.sms_do_not_contact_after,
      },
      voice: {
        address: p.phone_voice,
        status: p.phone_voice === '' ? 'unproven' : 'proven',
        isOptedIn: p.voice_opt_in,
        pendingAddress: p.pending_voice,
        start: p.voice_do_not_contact_before,
        end: p.voice_do_not_contact_after,
      },
    },
  };
}

function save(patch: PreferencesPatch, before: Partial<Preferences> = {}) {
  return planSave(onRecord(before), patch, offer);
}
function saved(patch: PreferencesPatch, before: Partial<Preferences> = {}): Preferences {
  const plan = save(patch, before);
  if (!plan.ok) throw new Error(JSON.stringify(plan.refusals));
  return shown(plan.after);
}
function refusedBecause(patch: PreferencesPatch, before: Partial<Preferences> = {}): string[] {
  const plan = save(patch, before);
  return plan.ok ? [] : plan.refusals.map(({ field, rule }) => `${field} ${rule}`);
}

describe('a save of contact preferences', () => {
  test('the first save confirms, even if it opts out of everything', () => {
    expect(saved({ language_preference: 'english' }).is_confirmed).toBe(true);
    const everything = { email_opt_in: false, sms_opt_in: false, voice_opt_in: false };
    expect(saved({ ...everything, email: '', phone_sms: '', phone_voice: '' })).toMatchObject({
      ...everything,
      is_confirmed: true,
    });
  });

  test('leaves alone what it does not name', () => {
    const before: Partial<Preferences> = {
      email: 'a@example.org',
      email_opt_in: true,
      is_valid_email: true,
      phone_sms: phone,
      sms_opt_in: true,
      sms_status: 'active',
      phone_voice: other,
      voice_opt_in: true,
      is_confirmed: true,
      sms_do_not_contact_before: '09:00',
      sms_do_not_contact_after: '17:00',
    };
    expect(saved({ language_preference: 'Spanish' }, before)).toEqual({
      ...noPreferences,
      ...before,
      language_preference: 'spanish',
    });
  });

  test.each([
    ['email', { email_opt_in: true }, 'email required'],
    ['texts', { sms_opt_in: true }, 'phone_sms required'],
    ['calls', { voice_opt_in: true }, 'phone_voice required'],
  ])('asks for an address when %s are wanted and there is none', (_what, patch, refusal) => {
    expect(refusedBecause(patch)).toEqual([refusal]);
  });

  test('does not remove an address while a channel still uses it', () => {
    const before = { email: 'a@example.org', email_opt_in: true };
    expect(refusedBecause({ email: '' }, before)).toEqual(['email required']);
    expect(refusedBecause({ email: null }, before)).toEqual(['email required']);
    expect(saved({ email: '', email_opt_in: false }, before).email).toBe('');
  });

  test('takes no mail address that is longer than mail allows', () => {
    const domain = Array(4).fill('b'.repeat(50)).join('.');
    const longest = `${'a'.repeat(46)}@${domain}.org`;
    expect(longest).toHaveLength(254);
    expect(saved({ email: longest }).email).toBe(longest);
    expect(refusedBecause({ email: `a${longest}` })).toEqual(['email invalid']);
  });

  test('names everything that is wrong at once', () => {
    const patch = {
      email: 'x@',
      phone_sms: '12',
      phone_voice: 'abc',
      language_preference: 'latin',
    };
    expect(refusedBecause(patch)).toEqual([
      'email invalid',
      'phone_sms invalid',
      'phone_voice invalid',
      'language_preference unknown',
    ]);
  });

  test('refuses a channel that the office does not offer', () => {
    const plan = planSave(
      noContacts,
      { voice_opt_in: true, phone_voice: '352-555-0100' },
      { ...offer, channels: ['email'] },
    );
    expect(plan).toMatchObject({ ok: false, refusals: [{ field: 'voice_opt_in' }] });
  });
});

describe('an email address', () => {
  test('that changes is unproven until its code comes back', () => {
    const before = { email: 'a@example.org', email_opt_in: true, is_valid_email: true };
    expect(saved({ email: 'b@example.org' }, before).is_valid_email).toBeNull();
    expect(saved({ email: 'A@Example.org' }, before)).toMatchObject({
      email: 'a@example.org',
      is_valid_email: true,
    });
  });

  test('that bounced cannot be opted in again, but can be replaced or left off', () => {
    const before = { email: 'a@example.org', email_opt_in: false, is_valid_email: false };
    expect(refusedBecause({ email_opt_in: true }, before)).toEqual(['email unusable']);
    expect(saved({ email_opt_in: true, email: 'b@example.org' }, before).is_valid_email).toBeNull();
    expect(saved({ language_preference: 'english' }, { ...before, email_opt_in: true }).email).toBe(
      'a@example.org',
    );
  });
});

describe('a number for texts', () => {
  test('waits for its YES, each time it is opted in', () => {
    const first = saved({ phone_sms: '352-555-0100', sms_opt_in: true });
    expect(first).toMatchObject({ phone_sms: phone, sms_status: 'pending' });
    const active = { ...first, sms_status: 'active' as const };
    expect(saved({ sms_opt_in: true, phone_sms: '(352) 555-0100' }, active).sms_status).toBe(
      'active',
    );
    expect(saved({ phone_sms: '352-555-0199' }, active)).toMatchObject({
      phone_sms: other,
      sms_status: 'pending',
    });
    const off = saved({ sms_opt_in: false }, active);
    expect(off.sms_status).toBe('none');
    expect(saved({ sms_opt_in: true }, off).sms_status).toBe('pending');
  });
});

test('each way has hours of its own', () => {
  const hours = {
    ...{ email_do_not_contact_before: '07:00', email_do_not_contact_after: '18:00' },
    ...{ sms_do_not_contact_before: '08:30', sms_do_not_contact_after: '19:30' },
    ...{ voice_do_not_contact_before: '09:15', voice_do_not_contact_after: '20:45' },
  };
  expect(saved(hours)).toMatchObject(hours);
});

describe('a number for calls', () => {
  test('is pending until it calls, and what was proven before stays', () => {
    const first = saved({ phone_voice: '352-555-0100', voice_opt_in: true });
    expect(first).toMatchObject({ phone_voice: '', pending_voice: phone });
    const proven = { ...first, phone_voice: phone, pending_voice: '' };
    const changed = saved({ phone_voice: '352-555-0199' }, proven);
    expect(changed).toMatchObject({ phone_voice: phone, pending_voice: other });
    expect(saved({ phone_voice: phone }, changed)).toMatchObject({
      phone_voice: phone,
      pending_voice: '',
    });
    expect(saved({ phone_voice: '', voice_opt_in: false }, changed)).toMatchObject({
      phone_voice: '',
      pending_voice: '',
    });
  });

  test('that waits for its call goes on waiting, beside the number that is called until then, when another setting is saved', () => {
    const before = onRecord({ phone_voice: phone, pending_voice: other, voice_opt_in: true });
    expect(planSave(before, { language_preference: 'spanish' }, offer)).toMatchObject({
      after: { channels: { voice: { address: phone, pendingAddress: other, status: 'proven' } } },
    });
  });

  test('that was stopped is asked to call again once calls are wanted, and not before', () => {
    const before = onRecord({ phone_voice: phone });
    const { voice } = before.channels;
    const stopped: Contacts = {
      ...before,
      channels: { ...before.channels, voice: { ...voice, status: 'stopped' } },
    };
    for (const [isOn, pendingAddress] of [
      [false, ''],
      [true, phone],
    ] as const)
      expect(
        planSave(stopped, { phone_voice: '352-555-0100', voice_opt_in: isOn }, offer),
      ).toMatchObject({ after: { channels: { voice: { address: phone, pendingAddress } } } });
  });

  test('is never called because of a save alone', () => {
    const patches = fc.array(
      fc.record(
        {
          phone_voice: fc.constantFrom('', null, '352-555-0100', '352-555-0199', '352-555-0155'),
          voice_opt_in: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    );
    fc.assert(
      fc.property(patches, (saves) => {
        let now = noContacts;
        for (const patch of saves) {
          const plan = planSave(now, patch as PreferencesPatch, offer);
          if (plan.ok) now = plan.after;
          expect(now.channels.voice.address).toBe('');
        }
      }),
    );
  });
});

describe('contact hours', () => {
  test('that start when they end are refused with their own words', () => {
    const plan = save({ sms_do_not_contact_before: '09:00', sms_do_not_contact_after: '09:00' });
    expect(plan).toMatchObject({
      ok: false,
      refusals: [{ detail: 'Contact between times must be different' }],
    });
  });

  test('may run over midnight', () => {
    const night = { voice_do_not_contact_before: '20:00', voice_do_not_contact_after: '06:00' };
    expect(saved(night)).toMatchObject(night);
  });

  test('with only a start or an end get the usual other', () => {
    expect(saved({ email_do_not_contact_before: '10:00' })).toMatchObject({
      email_do_not_contact_before: '10:00',
      email_do_not_contact_after: '20:00',
    });
    expect(refusedBecause({ email_do_not_contact_before: '20:00' })).toHaveLength(1);
  });

  test('are removed when they are set to nothing', () => {
    const before = { sms_do_not_contact_before: '09:00', sms_do_not_contact_after: '17:00' };
    const patch = { sms_do_not_contact_before: null, sms_do_not_contact_after: null };
    expect(saved(patch, before)).toMatchObject(patch);
  });
});

test('no save makes an address reachable that was not, unless it was proven before', () => {
  const patch = fc.record(
    {
      email: fc.constantFrom('', null, 'a@example.org', 'A@example.org', 'b@example.org'),
      email_opt_in: fc.boolean(),
      phone_sms: fc.constantFrom('', null, '352-555-0100', '352-555-0199'),
      sms_opt_in: fc.boolean(),
      phone_voice: fc.constantFrom('', null, '352-555-0100', '352-555-0199'),
      voice_opt_in: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  const status = fc.constantFrom('unproven', 'proven', 'stopped', 'unusable');
  const channel = (...addresses: string[]) =>
    fc.record({
      address: fc.constantFrom('', ...addresses),
      status,
      isOptedIn: fc.boolean(),
      pendingAddress: fc.constant(''),
      start: fc.constant(null),
      end: fc.constant(null),
    });
  const contacts = fc.record({
    channels: fc.record({
      email: channel('a@example.org'),
      sms: channel(phone),
      voice: channel(phone),
    }),
    language: fc.constant(null),
    isConfirmed: fc.boolean(),
  });
  fc.assert(
    fc.property(contacts, patch, (before, change) => {
      const plan = planSave(before as Contacts, change as PreferencesPatch, offer);
      if (!plan.ok) return;
      for (const [name, after] of Object.entries(plan.after.channels)) {
        if (!isReachable(after)) continue;
        const was = before.channels[name as 'email'];
        expect(was.status).toBe('proven');
        expect(after.address.toLowerCase()).toBe(was.address.toLowerCase());
      }
      // What is stopped stays so, whatever is saved, until its owner texts or calls.
      const { sms } = before.channels;
      if (sms.status === 'stopped' && plan.after.channels.sms.address === sms.address)
        expect(isReachable(plan.after.channels.sms)).toBe(false);
    }),
    { numRuns: runs(1000) },
  );
});

describe('what a save changes of where messages go', () => {
  const withChannel = (
    channel: 'email' | 'sms' | 'voice',
    change: Partial<Contacts['channels']['sms']>,
  ): Contacts => ({
    ...noContacts,
    channels: {
      ...noContacts.channels,
      [channel]: {
        ...noContacts.channels[channel],
        address: 'A@x.org',
        isOptedIn: true,
        ...change,
      },
    },
  });

  test.each(['email', 'sms'] as const)('an address of %s is newly used once', (channel) => {
    const none = { sms: '', email: '' };
    const used = withChannel(channel, {});
    const off = withChannel(channel, { isOptedIn: false });
    expect(findNewlyUsed(noContacts, noContacts)).toEqual(none);
    expect(findNewlyUsed(noContacts, used)).toEqual({ ...none, [channel]: 'a@x.org' });
    expect(findNewlyUsed(off, used)).toEqual({ ...none, [channel]: 'a@x.org' });
    expect(findNewlyUsed(used, withChannel(channel, { address: ' a@X.org ' }))).toEqual(none);
    expect(findNewlyUsed(used, withChannel(channel, { address: 'b@x.org' }))).toEqual({
      ...none,
      [channel]: 'b@x.org',
    });
    expect(findNewlyUsed(used, off)).toEqual(none);
  });

  test.each(['email', 'sms', 'voice'] as const)('messages by %s move', (channel) => {
    const before = withChannel(channel, {});
    const isMoved = (change: Partial<Contacts['channels']['sms']>) =>
      hasMoved(before, withChannel(channel, change));
    expect(isMoved({})).toBe(false);
    expect(isMoved({ address: ' a@X.org', start: '08:00', status: 'proven' })).toBe(false);
    expect(isMoved({ address: 'b@x.org' })).toBe(true);
    expect(isMoved({ isOptedIn: false })).toBe(true);
    expect(isMoved({ pendingAddress: 'b@x.org' })).toBe(true);
  });
});
