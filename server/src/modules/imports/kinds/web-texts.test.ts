import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../testing/office.ts';
import { sql } from '../../../../../testing/sql.ts';

/** A program of the web exports its texts as it writes them into pages. */
let office: TestOffice;
beforeEach(async () => {
  office = await createTestOffice();
  await office.addElection('7', '2026-11-03');
});
afterEach(() => office.close());

const roll = 'registration_id,firstname,lastname,birthdate,zipcode,address\n';

test('names and addresses are read as the office sees them', async () => {
  const voters = [
    '1,Ann,O&#39;Neil,01/02/1950,99301,1 A &amp; B St',
    '2,Jos&#xE9;,O&amp;#039;Neil,01/02/1950,99301,&quot;The Oaks&quot;',
    // No text of a page, and what no text may have.
    '3,AT&T,Lee & Co;,01/02/1950,99301,A&nosuch; &#0; &#xD800; &#99999999;',
  ];
  const { report } = await office.import('beacon-voters', `${roll}${voters.join('\n')}\n`);
  expect([report.rows.added, report.refusals]).toEqual([3, []]);
  const { rows } = await sql<{ text: string }>`
    select concat_ws('/', firstname, lastname, address) as text from voters order by registration_id`.execute(
    office.db.database.system,
  );
  expect(rows.map(({ text }) => text)).toEqual([
    "Ann/O'Neil/1 A & B St",
    'José/O\'Neil/"The Oaks"',
    'AT&T/Lee & Co;/A&nosuch; &#0; &#xD800; &#99999999;',
  ]);
});

test('a reason that voters read is read so, too', async () => {
  await office.import('beacon-voters', `${roll}1,Ann,Lee,01/02/1950,99301,\n`);
  const columns = 'registration_id,election,status,sent_on,returned_on,reason';
  const row = '1,7,rejected-curable,10/05/2026,10/20/2026,Signature doesn&#39;t match';
  await office.import('beacon-ballots', `${columns}\n${row}\n`);
  const { rows } = await sql<{ reason: string }>`
    select reason from ballot_events where status = 'rejected-curable'`.execute(
    office.db.database.system,
  );
  expect(rows).toEqual([{ reason: "Signature doesn't match" }]);
});
