import { expect, it, vi } from 'vitest';
import { createPageTexts } from './texts.ts';

it('a missing translation shows its key and only warns in the console', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { t } = createPageTexts('spanish', {}, true);
  expect(t('login.title')).toBe('login.title');
  expect(warn).toHaveBeenCalledExactlyOnceWith('No text in spanish: login.title');
  warn.mockRestore();
});
