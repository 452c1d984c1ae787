import { fieldId } from '../ui/field.tsx';
import { useTexts } from './texts.ts';

interface SkipLinksProps {
  /** What the keyboard is likely here for; null where the screen has no form. */
  form: 'signIn' | 'preferences' | null;
}

/** The first stops of the keyboard: past the bar to the form, and to the content. */
export function SkipLinks({ form }: SkipLinksProps) {
  const { t } = useTexts();
  return (
    <div className="skip-links">
      {form === 'signIn' && <a href={`#${fieldId('firstname')}`}>{t('skip.toForm')}</a>}
      {form === 'preferences' && <a href={`#${fieldId('email')}`}>{t('skip.toPreferences')}</a>}
      <a href="#main">{t('skip.toMain')}</a>
    </div>
  );
}
