import { describe, expect, it } from 'vitest';
import { createTranslate } from './translate.ts';

const texts = {
  hello: 'Hello, {{name}}! {{ name }}, you have mail.',
  ballots_one: '{{count}} ballot',
  ballots_other: '{{count}} ballots',
  price: 'It costs $& {{ price }}.',
};

describe('a text', () => {
  it('has its placeholders in double braces filled, every time and unchanged', () => {
    const t = createTranslate('english', texts);
    expect(t('hello', { name: 'Ida' })).toBe('Hello, Ida! Ida, you have mail.');
    expect(t('price', { price: '$1' })).toBe('It costs $& $1.');
    expect(t('hello', { name: '{{count}}' })).toBe('Hello, {{count}}! {{count}}, you have mail.');
  });

  it('has one period where a value ends with its own', () => {
    const t = createTranslate('spanish', {
      back: 'Antes de: {{when}}. Gracias.',
      wait: '{{when}}…',
    });
    expect(t('back', { when: '7:00 p.m.' })).toBe('Antes de: 7:00 p.m. Gracias.');
    expect(t('back', { when: '19:00' })).toBe('Antes de: 19:00. Gracias.');
    expect(t('wait', { when: '7:00 p.m.' })).toBe('7:00 p.m.…');
  });

  it('uses the plural form of the language', () => {
    const t = createTranslate('english', texts);
    expect([1, 2, 0].map((count) => t('ballots', { count }))).toEqual([
      '1 ballot',
      '2 ballots',
      '0 ballots',
    ]);
    const russian = { ballots_one: 'один', ballots_few: 'два', ballots_other: 'много' };
    const r = createTranslate('russian', russian);
    expect([1, 3, 5, 21].map((count) => r('ballots', { count }))).toEqual([
      'один',
      'два',
      'много',
      'один',
    ]);
  });

  it('that is missing falls back to its key, and is reported once', () => {
    const missing: string[] = [];
    const t = createTranslate('english', texts, (what) => missing.push(what));
    expect(t('no.such.key')).toBe('no.such.key');
    expect(t('no.such.key')).toBe('no.such.key');
    expect(t('toString')).toBe('toString');
    expect(missing).toEqual(['no.such.key', 'toString']);
  });

  it('whose value is missing keeps its placeholder, and is reported once', () => {
    const missing: string[] = [];
    const t = createTranslate('english', { hello: 'Hello, {{name}}!' }, (what) =>
      missing.push(what),
    );
    expect([t('hello'), t('hello')]).toEqual(['Hello, {{name}}!', 'Hello, {{name}}!']);
    expect(missing).toEqual(['hello {{name}}']);
  });
});
