import twilio from 'twilio';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPhoneOffice, type PhoneOffice, phone } from '../../../../../testing/phone-office.ts';
import { openSilentDelivery } from '../delivery/local-delivery.ts';

/** What an address gets when it is given on the page, or opted in again. */

let office: PhoneOffice;
beforeEach(async () => {
  office = await openPhoneOffice(twilio.getExpectedTwilioSignature, openSilentDelivery);
});
afterEach(() => office.close());

describe('a mail address given on the page', () => {
  test('gets a mail with a code; the address it replaces is notified', async () => {
    await office.save('V001', { email: { address: 'old@mail.example', isOptedIn: true } });
    await office.deliver();
    await office.save('V001', { email: { status: 'proven' } });
    await office.save('V001', { email: { address: 'New@mail.example', status: 'unproven' } });
    await office.deliver();
    const messages = await office.outbox();
    expect(messages.map(({ kind, address, state }) => [kind, address, state]).reverse()).toEqual([
      ['welcome', 'old@mail.example', 'sent'],
      ['welcome', 'new@mail.example', 'sent'],
      ['change', 'old@mail.example', 'sent'],
    ]);
    const welcome = messages.find(({ address }) => address === 'new@mail.example');
    expect(welcome?.body).toMatch(/https:\/\/adams\.beacon\.example\/voter\?code=[\w-]{50}/);
    const notice = messages.find(({ kind }) => kind === 'change');
    expect(notice?.body).not.toContain('new@');
    expect(notice?.body).toContain('(555) 555-0100');
  });
});

test.each([
  ['email', 'one@mail.example'],
  ['voice', phone],
] as const)(
  'a proven address that is opted in again by %s gets the news that came meanwhile',
  async (channel, address) => {
    const set = (isOptedIn: boolean) =>
      office.save('V001', { [channel]: { address, isOptedIn, status: 'proven' } });
    const news = async () => {
      await office.deliver();
      const sent = (await office.outbox()).filter(({ state }) => state === 'sent');
      return sent.flatMap(({ status }) => (status === null ? [] : [status]));
    };
    await set(true);
    await office.send('V001', 'Outbound');
    expect(await news()).toEqual(['sent']);
    await set(false);
    await office.send('V001', 'Accepted');
    expect(await news()).toEqual(['sent']);
    await set(true);
    expect(await news()).toEqual(['accepted', 'sent']);
    await set(false);
    await set(true);
    expect(await news()).toEqual(['accepted', 'sent']);
  },
);
