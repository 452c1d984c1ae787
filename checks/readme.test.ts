import { readFileSync } from 'node:fs';
import { roleNames, roles } from '@ballot-beacon/contract/office/roles';
import { expect, test } from 'vitest';
import { localGroups, localPeople } from '../dev/local-provider/people.ts';

function read(file: string): string {
  return readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
}

/** What the pattern's group matches in the part of `text` from `start` up to `end`. */
function collect(
  text: string,
  start: string,
  end: string,
  pattern: RegExp,
): (string | undefined)[] {
  const part = text.split(start)[1]?.split(end)[0] ?? '';
  return [...part.matchAll(pattern)].map(([, name]) => name).sort();
}

test('the README names every setting that the product reads, and no other', () => {
  const config = read('server/src/platform/config.ts');
  const declared = collect(config, 'const Environment = z.object({', '\n});', /^ {2}([A-Z_]+):/gm);
  const documented = collect(read('README.md'), '\n## Settings\n', '\n## ', /^\| `([A-Z_]+)`/gm);
  expect(declared).toContain('PORT');
  expect(documented).toEqual(declared);
});

test('the local provider has a person for each role, and the README names these and no others', () => {
  const people = localPeople.map(({ name, groups }) => ({
    name,
    roles: localGroups.flatMap((one) => (groups.includes(one.group) ? [...one.roles] : [])),
  }));
  expect(people.flatMap((person) => person.roles)).toEqual(roleNames);
  const [, table = ''] = read('README.md').split('\n| Name | Role | Can |\n');
  const rows = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| (\w[^|]+) \| ([^|]+) \|/gm)];
  expect(rows.map(([, name, title]) => ({ name, title }))).toEqual(
    people.map((person) => ({
      name: person.name,
      title: person.roles.map((role) => roles[role].title).join(),
    })),
  );
});
