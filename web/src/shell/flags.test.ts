import { defaultFlags } from '@ballot-beacon/contract/flags';
import { describe, expect, it } from 'vitest';
import { flagContextOf, readFlags } from './flags.ts';
import { readAnswer } from './ofrep.ts';

describe('flags', () => {
  it('are asked for by voter, state and county, and anonymously before login', () => {
    expect(flagContextOf(null)).toEqual({ targetingKey: 'anonymous' });
    expect(flagContextOf({ state: 'FL', county: 'Marlowe' })).toEqual({
      targetingKey: 'voter:FL:Marlowe',
      state: 'FL',
      county: 'Marlowe',
    });
  });

  it('that the page did not bring have their default values', () => {
    expect(readFlags({})).toEqual(defaultFlags);
    expect(readFlags({ voterOutage: true, unheardOf: true })).toEqual({
      ...defaultFlags,
      voterOutage: true,
    });
  });

  it('keep their value where the service has none for them', () => {
    expect(
      readAnswer({
        flags: [
          { key: 'voterOutage', value: true },
          { key: 'tabbedBallots', errorCode: 'PARSE_ERROR' },
          { key: 'voterUiEstimatedDeliveryDate', value: 'yes' },
          { key: 'unheardOf', value: true },
        ],
      }),
    ).toEqual({ voterOutage: true });
  });

  it.each([null, 'down', {}, { flags: 'none' }, { flags: [null] }])(
    'are left alone by an answer that is none: %j',
    (answer) => expect(readAnswer(answer)).toEqual({}),
  );
});
