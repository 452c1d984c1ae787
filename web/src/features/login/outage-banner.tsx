import './outage-banner.css';
import { useFlag, usePage } from '../../shell/page-context.ts';
import { useTexts } from '../../shell/texts.ts';
import { Icon } from '../../ui/icons.tsx';
import { Words } from '../../ui/words.tsx';

/** Apologizes for high traffic while the flag is on (product spec §2, Home). */
export function OutageBanner() {
  const { t } = useTexts();
  const { branding } = usePage();
  const isShown = useFlag('voterOutage');
  if (!isShown) return null;
  return (
    <p className="outage" role="status">
      <Icon name="caution" />
      <Words text={t('outage.text', { email: branding.contact_email })} />
    </p>
  );
}
