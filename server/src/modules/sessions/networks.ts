import { isIPv6 } from 'node:net';
import { readAddress } from '../../platform/visitor-address.ts';

/** The networks of an address, narrowest first: an IPv4 address itself; of IPv6 the /64, the /56 and the /48. What is no address is one. */
export function networksOf(address: string): readonly [string, ...string[]] {
  const [plain = ''] = readAddress(address).split('%');
  const bytes = isIPv6(plain) ? readIPv6(plain) : undefined;
  if (!bytes) return [plain];
  const isMapped =
    bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  if (isMapped) return [bytes.slice(12).join('.')];
  const prefix = (length: number) =>
    `${Buffer.from(bytes.slice(0, length / 8)).toString('hex')}/${length}`;
  return [prefix(64), prefix(56), prefix(48)];
}

/** The 16 bytes of an IPv6 address in any spelling, even with an IPv4 address at its end. */
function readIPv6(address: string): number[] {
  const ipv4 = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const [first, second] = [ipv4?.slice(2, 4), ipv4?.slice(4, 6)].map((pair) =>
    pair?.map((byte) => Number(byte).toString(16).padStart(2, '0')).join(''),
  );
  const [head = '', tail] = (ipv4 ? `${ipv4[1]}${first}:${second}` : address).split('::');
  const groupsOf = (text: string) => (text === '' ? [] : text.split(':'));
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')];
  const gap = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...gap, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
}
