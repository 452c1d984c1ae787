import { fieldId } from '../ui/field.tsx';
import { offeredChannels } from './offered-channels.ts';
import { usePage } from './page-context.ts';
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
  const { branding } = usePage();
  const offered = session && offeredChannels(session, branding);
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
