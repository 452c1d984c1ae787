import { expect, test } from 'vitest';
import { readConfig } from '../../../platform/config.ts';
import { originOf, publicOrigin } from './store.ts';

const at = (environment: Record<string, string>) =>
  readConfig({ PUBLIC_URL: 'https://vote.example.gov', ...environment });

test('providers report to PUBLIC_URL, whether or not it is an office’s own address', () => {
  for (const defaultAccount of ['', 'adams']) {
    const config = at({ BASE_DOMAIN: 'vote.example.gov', DEFAULT_ACCOUNT: defaultAccount });
    expect(publicOrigin(config)).toBe('https://vote.example.gov');
  }
});

test('an office’s pages are at its subdomain, and those of the default account at PUBLIC_URL', () => {
  const many = at({ BASE_DOMAIN: 'vote.example.gov', DEFAULT_ACCOUNT: '' });
  expect(originOf(many, 'adams')).toBe('https://adams.vote.example.gov');
  const one = at({ BASE_DOMAIN: 'vote.example.gov', DEFAULT_ACCOUNT: 'adams' });
  expect(originOf(one, 'adams')).toBe('https://vote.example.gov');
  expect(originOf(one, 'lake')).toBe('https://lake.vote.example.gov');
});
