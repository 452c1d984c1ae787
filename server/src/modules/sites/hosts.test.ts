import { describe, expect, test } from 'vitest';
import { readHost } from './hosts.ts';

const base = 'beacon.example.gov';

describe('the host a request names', () => {
  test.each([
    ['adams.beacon.example.gov', 'adams'],
    ['ADAMS.Beacon.Example.gov:8443', 'adams'],
    ['adams.beacon.example.gov.', 'adams'],
    ['a.b.beacon.example.gov', 'a.b'],
  ])('%s is a county', (host, subdomain) => {
    expect(readHost(host, base)).toEqual({ kind: 'subdomain', subdomain });
  });

  test.each([
    'beacon.example.gov',
    'beacon.example.gov:8080',
    '127.0.0.1:8080',
    '[::1]:8080',
    '10.0.0.7',
  ])('%s is the bare host', (host) => {
    expect(readHost(host, base)).toEqual({ kind: 'bare' });
  });

  test.each([
    undefined,
    '',
    'evil.test',
    'beacon.example.gov.evil.test',
    'adamsbeacon.example.gov',
    'adams.beacon.example.gov@evil.test',
    'adams.beacon.example.gov/x',
    'adams.beacon.example.gov, evil.test',
    'a b.beacon.example.gov',
    '[evil]',
  ])('%s is no host of ours', (host) => {
    expect(readHost(host, base)).toEqual({ kind: 'foreign' });
  });
});
