import { expect, test } from 'vitest';
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
