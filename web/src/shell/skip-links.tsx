import { fieldId } from '../ui/field.tsx';
import { useSession } from './session-context.ts';
import { useTexts } from './texts.ts';

interface SkipLinksProps {
  /** What the keyboard is likely here for; null where the screen has no form. */
  form: 'signIn' | 'preferences' | null;
}

/** The first stops of the keyboard: past the bar to the form, and to the content. */
export function SkipLinks({ form }: SkipLinksProps) {
  const { t } = useTexts();
  // The email field, or the first one of what the office offers.
  const session = useSession();
  const offered = session?.delivery_types._embedded.delivery_type.map((one) => one.delivery_type);
  const channel = (['email', 'sms', 'voice'] as const).find((one) => offered?.includes(one));
  return (
    <div className="skip-links">
      {form === 'signIn' && <a href={`#${fieldId('firstname')}`}>{t('skip.toForm')}</a>}
      {form === 'preferences' && channel && (
        <a href={session?.voter.hidden_contacts ? '#contact-preferences' : `#${fieldId(channel)}`}>
          {t('skip.toPreferences')}
        </a>
      )}
      <a href="#main">{t('skip.toMain')}</a>
    </div>
  );
}
