import { PrivacyText } from '../../shell/modals/privacy-text.tsx';
import { useTexts } from '../../shell/texts.ts';
import { StandalonePage } from './standalone.tsx';

export default function PrivacyPage() {
  const { t } = useTexts();
  return (
    <StandalonePage title={t('privacy.title')}>
      <PrivacyText heading="h2" />
    </StandalonePage>
  );
}
