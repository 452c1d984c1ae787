import { type Formats, formatsFor } from '@ballot-beacon/contract/formats';
import { useMemo } from 'react';
import { usePage } from './page-context.ts';
import { useTexts } from './texts.ts';

/** Dates and numbers as the page's language writes them, in the account's time zone. Apart from the texts: the login needs none. */
export function useFormats(): Formats {
  const { language } = useTexts();
  const { time_zone } = usePage().branding;
  return useMemo(() => formatsFor(language, time_zone), [language, time_zone]);
}
