import { expect, test } from 'vitest';
import { readAcceptLanguage } from './language-offer.ts';

test.each([
  ['es-US,es;q=0.9,en;q=0.8', ['spanish', 'spanish', 'english']],
  ['en;q=0.3, vi-VN;q=0.9', ['vietnamese', 'english']],
  ['pt-BR,fil-PH;q=0.5', ['tagalog']],
  ['zh-Hant-HK', ['cantonese']],
  ['zh-MO', ['cantonese']],
  ['zh-HK;q=0.5,zh;q=0.6', ['chinese', 'cantonese']],
  ['zh-hkx', ['chinese']],
  ['es;q=0.001,en;q=0', ['spanish']],
  ['yue', ['cantonese']],
  ['zh-TW,zh;q=0.9', ['chinese', 'chinese']],
  ['ht', ['creole']],
  ['es;q=0,*', []],
  ['', []],
  [';;,,q=1;es', []],
] as const)('a browser that sends "%s" wants %j', (header, wanted) => {
  expect(readAcceptLanguage(header)).toEqual(wanted);
});

test.each([
  [29, ['spanish']],
  [30, []],
] as const)('after %i other tags a header names %j', (others, wanted) => {
  expect(readAcceptLanguage([...Array(others).fill('xx'), 'es'].join(','))).toEqual(wanted);
});
