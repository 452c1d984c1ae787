import { describe, expect, test } from 'vitest';
import { meaningOf, zoneOfFacility } from './index.ts';

const scan = (mailPhase: string, eventType = 'A', opCode = '') =>
  meaningOf({ mailPhase, eventType, opCode });

describe('the meaning of a scan', () => {
  test.each(['0', '1', '1a', '1b', '2', '2a', '2b', '2c', '3a', '3b', '3c'])(
    'phase %s: in the mail on the way out, on its way back on the way in',
    (phase) => {
      for (const spelled of [phase, phase.toUpperCase(), `Phase ${phase} - Some Sortation`])
        expect(scan(spelled), spelled).toMatchObject({
          kind: 'scan',
          outbound: 'in-transit',
          inbound: 'return-in-transit',
        });
    },
  );

  test('phase 4c: likely delivered on the way out, and never a receipt on the way in', () => {
    expect(scan('4c')).toMatchObject({ outbound: 'delivered', inbound: 'return-in-transit' });
  });

  test('only the carrier’s own sorting means arrival that day', () => {
    expect(scan('3c')?.isArriving).toBe(true);
    expect(scan('', 'A', '919')).toMatchObject({ outbound: 'in-transit', isArriving: true });
    expect(scan('', '', '0918')?.isArriving).toBe(true);
    for (const phase of ['0', '2a', '3a', '4c']) expect(scan(phase)?.isArriving).toBe(false);
    expect(scan('3c', 'S')?.isArriving).toBe(false);
  });

  test('events without a machine scan are estimates: assumed events and logical deliveries', () => {
    expect(scan('2a', 'S')).toMatchObject({ kind: 'estimate', outbound: 'in-transit' });
    expect(scan('', 'L')).toMatchObject({ kind: 'estimate', outbound: 'delivered' });
    expect(scan('', 'Logical Delivery')).toEqual(scan('', 'L'));
  });

  test('forwarding is only a hint and has no status', () => {
    for (const phase of ['PARS', 'FPARS', 'pars']) expect(scan(phase)).toBeNull();
  });

  test('an unknown scan means nothing for an outbound envelope', () => {
    for (const [phase, event, code] of [
      ['', 'A', '517'],
      ['Miscellaneous', 'A', ''],
      ['Miscellaenous', 'A', ''],
      ['Foreign', 'A', ''],
      ['9z', '', ''],
    ] as const) {
      expect(scan(phase, event, code)?.outbound ?? null, phase).toBeNull();
      expect(scan(phase, event, code)?.inbound).toBe('return-in-transit');
    }
    expect(scan('2a', 'X')).toBeNull();
    expect(scan('2a', '__proto__')).toBeNull();
  });
});

describe('the clock of a facility', () => {
  test.each([
    ['WA', '', 'America/Los_Angeles'],
    ['nc', '27601', 'America/New_York'],
    [' FL ', ' 34811 ', 'America/New_York'],
    ['FL', '34811', 'America/New_York'],
    ['FL', '32501', 'America/Chicago'],
    ['FL', '32401', null],
    ['FL', '', null],
    ['TN', '37201', null],
    ['TX', '79936', 'America/Denver'],
    ['', '98101', null],
    ['constructor', '98101', null],
  ])('%s %s is %s', (state, zip, zone) => {
    expect(zoneOfFacility(state, zip)).toBe(zone);
  });
});
