import { isLanguage, languages } from '@ballot-beacon/contract/languages';
import { usePage } from '../../shell/page-context.ts';
import { useTexts } from '../../shell/texts.ts';
import { fieldId } from '../../ui/field.tsx';
import { Icon } from '../../ui/icons.tsx';
import { FieldErrors as Errors } from './contact-field.tsx';
import type { FieldErrors } from './errors.ts';
import type { PreferencesAction } from './form.ts';
import { wordsOfErrors } from './words.ts';

interface LanguageSectionProps {
  chosen: string;
  errors: FieldErrors;
  send: (action: PreferencesAction) => void;
}

/** Shown only where the office offers more than one language. */
export function LanguageSection({ chosen, errors, send }: LanguageSectionProps) {
  const { t } = useTexts();
  const { branding } = usePage();
  const offered = branding.languages.map((entry) => entry.language).filter(isLanguage);
  if (offered.length < 2) return null;
  const id = fieldId('languagePreference');
  const wrong = wordsOfErrors(errors.languagePreference, t);
  return (
    <fieldset className="preferences-section">
      <legend>
        <Icon name="globe" />
        {t('preferences.language.title')}
      </legend>
      <div className="field">
        <label className="field-label" htmlFor={id}>
          {t('preferences.language.label')}
        </label>
        <select
          className="field-input"
          id={id}
          name="languagePreference"
          value={chosen}
          aria-invalid={wrong.length > 0 ? true : undefined}
          aria-describedby={`${id}-errors`}
          onChange={(event) => send({ type: 'language', language: event.currentTarget.value })}
        >
          {offered.map((name) => (
            <option value={name} lang={languages[name].tag} key={name}>
              {languages[name].ownName}
            </option>
          ))}
        </select>
        <Errors id={id} errors={wrong} />
      </div>
    </fieldset>
  );
}
