import { SmsTermsText } from '../../shell/modals/sms-terms-text.tsx';
import { useTexts } from '../../shell/texts.ts';
import { StandalonePage } from './standalone.tsx';

export default function SmsTermsPage() {
  const { t } = useTexts();
  return (
    <StandalonePage title={t('smsTerms.title')}>
      <SmsTermsText />
    </StandalonePage>
  );
}
