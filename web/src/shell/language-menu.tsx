import { isLanguage, languages } from '@ballot-beacon/contract/languages';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Icon } from '../ui/icons.tsx';
import { languageMenuMachine } from './language-menu.machine.ts';
import { usePage } from './page-context.ts';
import { useSignals } from './signals.ts';
import { useTexts } from './texts.ts';
import { useRegion } from './use-region.ts';

/**
 * The account's languages, each in its own words. Links that the server understands too, so the menu works
 * before the script has arrived; absent when there is nothing to choose.
 */
export function LanguageMenu() {
  const { language, t } = useTexts();
  const { branding } = usePage();
  const signals = useSignals();
  const [state, menu] = useRegion(languageMenuMachine);
  const isOpen = state.matches('opened');
  const details = useRef<HTMLDetailsElement>(null);
  const summary = useRef<HTMLElement>(null);

  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = (event: Event) => {
      if (event.target instanceof Node && details.current?.contains(event.target)) return;
      menu.send({ type: 'CLOSE' });
    };
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
    };
  }, [isOpen, menu]);

  const offered = branding.languages.map((entry) => entry.language).filter(isLanguage);
  if (offered.length < 2) return null;

  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    menu.send({ type: 'CLOSE' });
    summary.current?.focus();
  };

  return (
    <details className="language-menu" open={isOpen} ref={details} onKeyDown={closeOnEscape}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button */}
      <summary
        className="top-bar-button"
        ref={summary}
        // The name begins with the visible text, so that voice control can find it.
        aria-label={`${t('topBar.language')} ${languages[language].abbreviation}. ${t('topBar.languageNow', { language: languages[language].ownName })}`}
        onClick={(event) => {
          event.preventDefault();
          menu.send({ type: 'TOGGLE' });
        }}
      >
        <Icon name="globe" />
        <span className="language-word">{t('topBar.language')}</span>{' '}
        <span className="language-abbreviation">{languages[language].abbreviation}</span>
        <Icon name="chevron" className="icon-small" />
      </summary>
      <ul className="language-list" aria-label={t('topBar.language')}>
        {offered.map((name) => (
          <li key={name}>
            <a
              href={`?language=${name}`}
              lang={languages[name].tag}
              dir={languages[name].dir}
              hrefLang={languages[name].tag}
              aria-current={name === language ? 'true' : undefined}
              onClick={(event) => {
                event.preventDefault();
                signals.send({ type: 'SELECT_LANGUAGE', language: name });
                summary.current?.focus();
              }}
            >
              {languages[name].ownName}
              <span className="language-abbreviation">{languages[name].abbreviation}</span>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
