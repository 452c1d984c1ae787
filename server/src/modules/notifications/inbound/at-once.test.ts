import twilio from 'twilio';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPhoneOffice, type PhoneOffice, phone } from '../../../../../testing/phone-office.ts';
import { openSilentDelivery } from '../delivery/local-delivery.ts';

let office: PhoneOffice;
beforeEach(async () => {
  office = await openPhoneOffice(twilio.getExpectedTwilioSignature, openSilentDelivery);
});
afterEach(() => office.close());

const other = '+13525550002';

test('more voters than the process has connections for text and call at one moment, and each is answered', async () => {
  for (const [voter, address] of [
    ['V001', phone],
    ['V002', other],
  ] as const)
    await office.save(voter, {
      sms: { address, isOptedIn: true, status: 'unproven' },
      voice: { pendingAddress: address, isOptedIn: true },
    });
  const call = (From: string) =>
    office.callTwilio('/api/provider/twilio/voice', {
      ...{ CallSid: office.nextId('CA'), From, To: '+15555550100' },
    });
  const [, , ...calls] = await Promise.all([
    ...[phone, other].map((from) => office.text('YES', from)),
    ...[phone, other].map((from) => call(from)),
  ]);
  for (const answer of calls) expect(answer?.body).toContain('Your number is confirmed');
  for (const voter of ['V001', 'V002'])
    expect(await office.channelsOf(voter)).toMatchObject({
      sms: { status: 'proven' },
      voice: { status: 'proven' },
    });
});
