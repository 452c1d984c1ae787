import { isIPv4, isIPv6 } from 'node:net';

/** Whether two names, typed or of an {@link Actor}, are one person's: case, surplus spaces, dots and what nobody sees do not count. */
export function isSamePerson(one: string, other: string): boolean {
  const plain = (name: string) =>
    name
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
      .replace(/^operator:/, '')
      .replaceAll(/[\s.]+/g, ' ')
      .trim();
  return plain(one) === plain(other);
}

/**
 * The network an address belongs to, as one site or household has it: IPv4 /24, IPv6 /48. What is no address is
 * `unknown`.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
  if (!isIPv6(plain)) return 'unknown';
  // A split text has a first part.
  const [withoutZone] = plain.split('%') as [string];
  const [head, tail] = withoutZone.split('::') as [string, string?];
  const before = head === '' ? [] : head.split(':');
  const after = tail?.split(':') ?? [];
  // An embedded IPv4 address stands for two groups.
  const width = [...before, ...after].reduce((sum, part) => sum + (part.includes('.') ? 2 : 1), 0);
  const groups = [...before, ...Array<string>(8 - width).fill('0'), ...after];
  return `${groups
    .slice(0, 3)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/48`;
}
