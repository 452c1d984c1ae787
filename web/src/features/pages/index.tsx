import { FaqText } from '../../shell/modals/faq-text.tsx';
import type { FaqInPage } from '../../shell/modals/office-content.ts';
import { PrivacyText } from '../../shell/modals/privacy-text.tsx';
import { SmsTermsText } from '../../shell/modals/sms-terms-text.tsx';
import { usePage } from '../../shell/page-context.ts';
import { useTexts } from '../../shell/texts.ts';
import { AccessibilityText } from './accessibility-text.tsx';
import { StandalonePage } from './standalone.tsx';

interface ReadingPageProps {
  name: 'privacy' | 'faq' | 'sms-policy' | 'accessibility';
  /** The office's answers that the page brought. */
  faq: FaqInPage | undefined;
}

const titles = {
  privacy: 'privacy.title',
  faq: 'faq.title',
  'sms-policy': 'smsTerms.title',
  accessibility: 'accessibility.title',
} as const;

/** The pages that anyone may read. */
export default function ReadingPage({ name, faq }: ReadingPageProps) {
  const { t } = useTexts();
  const isOffice = usePage().branding.account_id !== -1;
  return (
    <StandalonePage title={t(titles[name])}>
      {name === 'privacy' && <PrivacyText heading="h2" />}
      {name === 'faq' && <FaqText brought={faq} />}
      {name === 'sms-policy' && <SmsTermsText />}
      {name === 'accessibility' && <AccessibilityText />}
      {name === 'faq' && isOffice && (
        <p>
          <a href="/voter/performance">{t('performance.title')}</a>
        </p>
      )}
    </StandalonePage>
  );
}
