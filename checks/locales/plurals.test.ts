import path from 'node:path';
import { languageNames, languages } from '@ballot-beacon/contract/languages';
import { createTranslate } from '@ballot-beacon/contract/translate';
import { expect, test } from 'vitest';
import { readLanguageFiles } from '../../server/src/modules/text-review/index.ts';

const folder = path.resolve(import.meta.dirname, '../../locales');
const counts = Array.from({ length: 120 }, (_, index) => index + 1);

// Russian's "one" is also 21 and 31: without the number a voter with 21 days left would read of one day.
test.each(languageNames)('in %s a count is said wherever a form stands for several', (language) => {
  const { main = {}, messages = {} } = readLanguageFiles(folder, language).sections;
  const texts = { ...main, ...messages };
  const plurals = new Intl.PluralRules([languages[language].tag, 'en']);
  const t = createTranslate(language, texts);
  const keys = Object.keys(texts).flatMap((key) => /^(.+)_other$/.exec(key)?.[1] ?? []);
  expect(keys).toContain('dashboard.return.daysLeft');
  const unsaid = keys.flatMap((key) =>
    counts
      .filter((count) => !t(key, { count }).includes(String(count)))
      .filter((count) =>
        counts.some((other) => other !== count && plurals.select(other) === plurals.select(count)),
      )
      .map((count) => `${key} of ${count}: ${t(key, { count })}`),
  );
  expect(unsaid).toEqual([]);
});
