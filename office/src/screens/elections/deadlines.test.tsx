import type { ElectionDeadlines } from '@ballot-beacon/contract/office/fix-deadlines';
import { expect, test } from 'vitest';
import { showScreen } from '../../shell/show-screen.tsx';
import { DeadlinesScreen } from './deadlines.tsx';

type Deadline = ElectionDeadlines['deadlines'][number];

const rule = { source: 'Section 101.68', checked_on: '2026-08-01', note: null };
const known: Deadline = {
  defect: 'signature-missing',
  law: { at: '2026-12-12T17:00:00-10:00', missing: [], rule },
  own: null,
};
const withLaw = (law: Partial<Deadline['law']>): Deadline => ({
  ...known,
  law: { ...known.law, at: null, ...law },
});
const election = (id: number, name: string, deadlines: Deadline[]): ElectionDeadlines => ({
  ...{ election_id: id, number: String(id), name, election_date: '2026-12-10', version: 'a' },
  deadlines,
});
const both = [election(7, 'Winter Election', [known]), election(8, 'Town Election', [known])];
const show = (elections: ElectionDeadlines[], open?: string) =>
  showScreen(<DeadlinesScreen open={open} />, {
    listFixDeadlines: { state: 'FL', elections },
  });
const count = (html: string, part: string) => html.split(part).length - 1;

test('each active election is listed with a way to its form', async () => {
  const { html, links } = await show(both);
  expect(count(html, '<form')).toBe(0);
  expect(links).toMatchObject({
    'Set a deadline: Winter Election': '/office/elections/deadlines/7',
    'Set a deadline: Town Election': '/office/elections/deadlines/8',
  });
});

test('with the form of one election open, there is that form alone and no other election', async () => {
  const { html, words, links } = await show(both, '8');
  expect(count(html, '<form')).toBe(1);
  expect(count(html, '<table')).toBe(1);
  expect(words).toContain('Town Election, Dec 10, 2026');
  expect(words).not.toContain('Winter Election');
  expect(Object.keys(links).filter((name) => name.startsWith('Set a deadline'))).toEqual([]);
});

test('an election that is not active has no form, and says why', async () => {
  const closed = await show(both, '9');
  expect(closed.words).toContain('This election is not active.');
  expect(closed.html).not.toContain('<form');
  expect((await show([])).words).toContain('No election is active.');
});

test.each<[Deadline, string]>([
  [known, 'Dec 12, 2026, 5:00 PM Section 101.68. Checked Aug 1, 2026.'],
  [
    withLaw({ missing: ['kind', 'canvass'] }),
    'Not known yet: say what kind of election it is; give the day of the canvass.',
  ],
  [withLaw({}), 'Left to each county: set yours.'],
  [withLaw({ rule: null }), 'No rule is known. Voters are asked to call'],
])('of %j the law says: %s', async (deadline, said) => {
  const { rows } = await show([election(7, 'Winter Election', [deadline])]);
  expect(rows[1]?.[1]).toContain(said);
});

test.each<[Deadline['law']['missing'], boolean]>([
  [['kind'], true],
  [['election'], true],
  [['certification'], true],
  [['canvass'], true],
  [['notice'], false],
  [['discovery', 'receipt'], false],
])('what the election lacks, %j, can be given in its form: %s', async (missing, isThere) => {
  const { links } = await show([election(7, 'Winter Election', [known, withLaw({ missing })])]);
  expect(links['Give what is missing for Winter Election']).toBe(
    isThere ? '/office/elections/7' : undefined,
  );
});

test('the office’s own deadline is shown with who set it and why, beside a way to remove it', async () => {
  const own = {
    ...{ ends_on: '2026-12-11', ends_at: '12:00', reason: 'Court order 7.' },
    ...{ who: 'Ada Wu', set_at: '2026-11-20T05:30:00Z' },
  };
  const { rows, html } = await show([election(7, 'Winter Election', [{ ...known, own }])]);
  expect(rows[1]?.[2]).toBe(
    'Dec 11, 2026, 12:00 PM Court order 7. Set by Ada Wu, Nov 19, 2026, 7:30 PM. Remove',
  );
  expect(html).toContain('aria-label="Remove your deadline: Signature missing"');
});
