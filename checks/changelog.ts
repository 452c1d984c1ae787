import { createHash } from 'node:crypto';

/**
 * Whether CHANGELOG.md mentions what users can see to have changed since the last release: calls, commands and their
 * options, settings, and groups of texts. `checks/released-surface.json` records what the last release had. An entry
 * mentions a change by naming it in backticks, as it stands in the record: `beacon imports --feeds`, `texts:login`.
 */

/** By name, a digest of what is visible of it; '' where the name says all. */
export type Surface = Readonly<Record<string, string>>;

export interface Change {
  readonly name: string;
  readonly kind: 'added' | 'changed' | 'removed';
}

export function findChanges(released: Surface, current: Surface): Change[] {
  const names = new Set([...Object.keys(released), ...Object.keys(current)]);
  return [...names].sort().flatMap((name): Change[] => {
    if (released[name] === current[name]) return [];
    if (!Object.hasOwn(released, name)) return [{ name, kind: 'added' }];
    return [{ name, kind: Object.hasOwn(current, name) ? 'changed' : 'removed' }];
  });
}

/** The changes that the part of the changelog above the last released heading does not mention. */
export function findUnmentioned(changelog: string, changes: readonly Change[]): Change[] {
  const mentioned = new Set(
    [...readUnreleased(changelog).matchAll(/`([^`\n]+)`/g)].map(([, name]) => name),
  );
  return changes.filter(({ name }) => !mentioned.has(name));
}

/** The text under `## Unreleased`, up to the next heading of its level. */
function readUnreleased(changelog: string): string {
  const [, after] = changelog.split(/^## Unreleased$/m);
  if (after === undefined) throw new Error('CHANGELOG.md has no heading "## Unreleased".');
  return after.split(/^## /m)[0] ?? '';
}

/** Texts by the first part of their key, each group with a digest of its English. */
export function digestTexts(texts: Readonly<Record<string, string>>, prefix: string): Surface {
  const groups = new Map<string, string[]>();
  for (const [key, text] of Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const group = `${prefix}:${key.split('.')[0]}`;
    groups.set(group, [...(groups.get(group) ?? []), key, text]);
  }
  return Object.fromEntries([...groups].map(([group, parts]) => [group, digest(parts)]));
}

export function digest(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16);
}
