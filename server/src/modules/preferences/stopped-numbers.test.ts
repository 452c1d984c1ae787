import { expect, test } from 'vitest';
import { type ContactChannel, noChannel, noContacts } from '../contacts/index.ts';
import { planSave } from './rules.ts';

const offer = { languages: ['english'], channels: ['email', 'sms', 'voice'] } as const;
const phone = '+13525550100';
const other = '+13525550199';

/** The number for texts after a save, in words. */
function save(before: Partial<ContactChannel>, patch: Parameters<typeof planSave>[1]): string {
  const sms = { ...noChannel, address: phone, ...before };
  const contacts = { ...noContacts, channels: { ...noContacts.channels, sms } };
  const plan = planSave(contacts, patch, offer);
  if (!plan.ok) return plan.refusals.map(({ rule }) => rule).join();
  const { address, isOptedIn, status } = plan.after.channels.sms;
  return `${address} ${isOptedIn ? 'on' : 'off'} ${status}`;
}

test.each([
  ['proven', true, {}, `${phone} on proven`],
  ['unproven', true, {}, `${phone} on unproven`],
  ['proven', true, { phone_sms: '352-555-0100' }, `${phone} on proven`],
  ['proven', true, { phone_sms: '352-555-0199' }, `${other} on unproven`],
  ['proven', true, { sms_opt_in: false }, `${phone} off unproven`],
  // Each time it is opted in, it must say YES anew.
  ['proven', false, { sms_opt_in: true }, `${phone} on unproven`],
  ['stopped', false, {}, `${phone} off stopped`],
  ['stopped', false, { sms_opt_in: false }, `${phone} off stopped`],
  ['stopped', false, { sms_opt_in: true }, `${phone} on unproven`],
  ['stopped', false, { phone_sms: '352-555-0199' }, `${other} off unproven`],
  ['stopped', false, { phone_sms: '352-555-0199', sms_opt_in: true }, `${other} on unproven`],
  ['stopped', false, { phone_sms: '' }, ' off unproven'],
  ['proven', true, { phone_sms: '' }, 'required'],
  ['proven', true, { phone_sms: 'hello' }, 'invalid'],
] as const)(
  'a number that is %s, opted in: %s, saved with %j',
  (status, isOptedIn, patch, expected) => {
    expect(save({ status, isOptedIn }, patch)).toBe(expected);
  },
);
