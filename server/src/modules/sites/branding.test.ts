import { expect, test } from 'vitest';
import { addOffice, createTestApi } from '../../../../testing/api.ts';
import { readConfig } from '../../platform/config.ts';
import { brandNobody } from './branding.ts';

test('without an office, the page has the product’s name, no picture and the product’s support contact', () => {
  const config = readConfig({
    SUPPORT_PHONE: '+18005550142',
    SUPPORT_EMAIL: 'help@support.example',
  });
  expect(brandNobody(false, ['english'], config)).toMatchObject({
    account_id: -1,
    name: 'Ballot Beacon',
    bg_url: '/img/white.gif',
    logo_url: null,
    contact_phone: '+18005550142',
    contact_email: 'help@support.example',
  });
});

test('an office without a phone or an address of its own shows the product’s', async () => {
  const support = { SUPPORT_PHONE: '+18005550142', SUPPORT_EMAIL: 'help@support.example' };
  const api = await createTestApi({ environment: support });
  await addOffice(api.test, { subdomain: 'bare', contact_phone: '', contact_email: '' });
  const own = { contact_phone: '(352) 555-0100', contact_email: 'office@adams.example' };
  const hours = { open: '08:00', close: '17:00' };
  await addOffice(api.test, {
    ...{ subdomain: 'adams', ...own },
    phone_hours: ['mon-fri', 'sun'].map((days) => ({ days, ...hours })),
  });
  const contactOf = async (subdomain: string) => {
    const answer = await api.browser(`${subdomain}.localhost`).get('/api/voter/branding');
    const [branding] = answer.json()._embedded.branding;
    return [branding.contact_phone, branding.contact_email];
  };
  expect(await contactOf('bare')).toEqual(Object.values(support));
  expect(await contactOf('adams')).toEqual(Object.values(own));
  // Days as numbers from Sunday on; a single day is its own end.
  const adams = await api.browser('adams.localhost').get('/api/voter/branding');
  expect(adams.json()._embedded.branding[0].phone_hours).toEqual([
    { from: 1, to: 5, ...hours },
    { from: 0, to: 0, ...hours },
  ]);
  // It always has the language that all others fall back to.
  await api.query('delete from account_languages');
  const answer = await api.browser('bare.localhost').get('/api/voter/branding');
  expect(answer.json()._embedded.branding[0].languages).toEqual([{ language: 'english' }]);
  await api.close();
});
