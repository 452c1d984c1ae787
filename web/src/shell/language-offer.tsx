import { isLanguage, languages } from '@ballot-beacon/contract/languages';
import { usePage } from './page-context.ts';
import { useSignals } from './signals.ts';

/** Asks a visitor in the browser's language whether the page should be in it; a link without the script too. */
export function LanguageOffer() {
  const { languageOffer } = usePage();
  const signals = useSignals();
  if (!languageOffer || !isLanguage(languageOffer.language)) return null;
  const { language, question } = languageOffer;
  const { tag, dir } = languages[language];
  return (
    <p className="language-offer">
      <a
        href={`?language=${language}`}
        lang={tag}
        dir={dir}
        hrefLang={tag}
        onClick={(event) => {
          event.preventDefault();
          signals.send({ type: 'SELECT_LANGUAGE', language });
          // The question goes; the keyboard stays beside it.
          document.querySelector<HTMLElement>('.language-menu summary')?.focus();
        }}
      >
        {question}
      </a>
    </p>
  );
}
