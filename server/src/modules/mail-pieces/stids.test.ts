import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readSettings } from '../accounts/index.ts';
import { type Direction, directionOf, readImb, type Stid, stids } from './index.ts';

function direction(digits: string, mail: object = {}): Direction | null {
  const found = readImb(digits);
  if (!found.ok) throw new Error(found.problem);
  return directionOf(found.imb, readSettings({ mail }).mail);
}

const inTurn = (list: string) => list.split(' ');

describe('the barcode shows an envelope’s direction', () => {
  test('as in the USPS table of ballot mail', () => {
    const out =
      '713 714 715 716 717 718 720 722 723 725 726 735 736 737 738 741 743 744 746 719 724 739 740 745';
    const back = '777 778 779 780 030 031 032 050 051 052 070 071 072 701 703 708';
    for (const stid of inTurn(out)) expect(direction(`00${stid}123456000000001`)).toBe('outbound');
    for (const stid of inTurn(back)) expect(direction(`00${stid}123456000000001`)).toBe('inbound');
    expect(stids.size).toBe(inTurn(out).length + inTurn(back).length);
  });

  test('undeliverable pieces are forwarded or returned, and retired types are marked', () => {
    const such = (of: (one: Stid) => boolean) =>
      [...stids.values()]
        .filter(of)
        .map(({ stid }) => stid)
        .join(' ');
    expect(such((one) => one.undeliverable === 'forwarded')).toBe(
      '717 718 722 723 737 738 743 744',
    );
    expect(such((one) => one.undeliverable === 'returned')).toBe('713 714 725 726 746');
    expect(such((one) => one.retired)).toBe('719 724 739 740 745');
  });

  test('an unknown service type has no direction', () => {
    expect(direction('00270123456000000001')).toBeNull();
  });
});

test('the format’s page lists every service type of the table', () => {
  const path = new URL('../../../../docs/formats/beacon-mailpieces.md', import.meta.url);
  const page = readFileSync(path, 'utf8');
  const head = [
    'Service type',
    'Direction',
    'Class',
    'Service',
    'Not deliverable',
    'Note',
    'Source',
  ];
  const rows = [...stids.values()].map((one) => [
    ...[one.stid, one.direction, one.class, one.service, one.undeliverable],
    [one.retired ? 'Retired.' : '', one.note].filter(Boolean).join(' '),
    one.source,
  ]);
  const table = [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell ?? '').join(' | ')} |`)
    .join('\n');
  const current = page.replace(
    /<!-- service types -->[\s\S]*<!-- end of service types -->/,
    `<!-- service types -->\n${table}\n<!-- end of service types -->`,
  );
  if (process.env.UPDATE_PAGES === '1') writeFileSync(path, current);
  else expect(page, 'run UPDATE_PAGES=1 npx vitest run stids').toBe(current);
});

describe('an office sets the meaning of its own barcodes in its account file', () => {
  test('a service type that is not in the table, or that is used differently', () => {
    const mail = { stids: { 270: 'outbound', 778: 'outbound', 741: null } };
    expect(direction('00270123456000000001', mail)).toBe('outbound');
    expect(direction('00778123456000000001', mail)).toBe('outbound');
    expect(direction('00741123456000000001', mail)).toBeNull();
    expect(direction('00777123456000000001', mail)).toBe('inbound');
  });

  test('a mailer ID or serial numbers of its return envelopes', () => {
    const mail = {
      inbound_mailer_ids: ['987654321'],
      inbound_serials: [{ mailer_id: '123456', from: '500000000', to: '599999999' }],
    };
    expect(direction('00270987654321000001', mail)).toBe('inbound');
    expect(direction('00741123456500000000', mail)).toBe('inbound');
    expect(direction('00741123456599999999', mail)).toBe('inbound');
    expect(direction('00741123456600000000', mail)).toBe('outbound');
    expect(direction('00741123456499999999', mail)).toBe('outbound');
  });

  test('one serial number alone, of a mailer ID of either length', () => {
    const mail = {
      inbound_serials: [
        { mailer_id: '123456', from: '500000000', to: '500000000' },
        { mailer_id: '987654321', from: '000007', to: '000007' },
      ],
    };
    expect(direction('00741123456500000000', mail)).toBe('inbound');
    expect(direction('00741123456500000001', mail)).toBe('outbound');
    expect(direction('00741987654321000007', mail)).toBe('inbound');
  });

  test('its own ZIP+4, with or without the delivery point', () => {
    const mail = { inbound_zips: ['34811-0001'] };
    expect(direction('00270123456000000001348110001', mail)).toBe('inbound');
    expect(direction('0027012345600000000134811000199', mail)).toBe('inbound');
    expect(direction('0027012345600000000134811', mail)).toBeNull();
  });

  test.each([
    ['stids', { stids: { 27: 'outbound' } }],
    ['stids', { stids: { 270: 'sideways' } }],
    ['inbound_mailer_ids', { inbound_mailer_ids: ['912345'] }],
    [
      'inbound_serials',
      { inbound_serials: [{ mailer_id: '123456', from: '000001', to: '000002' }] },
    ],
    [
      'inbound_serials',
      { inbound_serials: [{ mailer_id: '123456', from: '500000001', to: '500000000' }] },
    ],
    [
      'inbound_serials',
      { inbound_serials: [{ mailer_id: '987654321', from: '000001', to: '500000000' }] },
    ],
    ['inbound_zips', { inbound_zips: ['34811'] }],
    ['misspelt', { inbound_mailer_id: [] }],
  ])('a wrong %s is refused', (_, mail) => {
    expect(() => readSettings({ mail })).toThrow();
  });
});
