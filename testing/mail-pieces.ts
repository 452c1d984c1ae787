import { createTestOffice, type TestOffice } from './office.ts';

/**
 * An office whose voters, by number, have asked for a ballot that the mail house has not reported yet.
 *
 * @param more as of {@link createTestOffice}
 */
export async function createPieceOffice(
  voters: readonly number[],
  ...more: Parameters<typeof createTestOffice>
): Promise<TestOffice> {
  const office = await createTestOffice(...more);
  office.clock.set('2026-10-08T15:00:00Z');
  await office.addElection('7', '2026-11-03');
  const people = voters.map((id) => `${id},Ann,Lee,01/02/1950,99301`);
  const header = 'registration_id,firstname,lastname,birthdate,zipcode';
  await office.import('beacon-voters', [header, ...people].join('\n'));
  const ballots = voters.map((id) => `${id},7,requested,2026-09-20`);
  await office.import(
    'beacon-ballots',
    ['registration_id,election,status,requested_on', ...ballots].join('\n'),
  );
  return office;
}

/** The barcode of an envelope. */
export const barcodeOf = (serial: number) => `00741123456${String(serial).padStart(9, '0')}`;
