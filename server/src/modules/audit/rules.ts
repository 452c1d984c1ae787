/** Whether two names, typed or of an {@link Actor}, are one person's: case, surplus spaces and dots do not count. */
export function isSamePerson(one: string, other: string): boolean {
  const plain = (name: string) =>
    name
      .normalize('NFKC')
      .toLowerCase()
      .replace(/^operator:/, '')
      .replaceAll(/[\s.]+/g, ' ')
      .trim();
  return plain(one) === plain(other);
}
