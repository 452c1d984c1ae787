import { FaqText } from '../../shell/modals/faq-text.tsx';
import type { FaqInPage } from '../../shell/modals/office-content.ts';
import { useTexts } from '../../shell/texts.ts';
import { StandalonePage } from './standalone.tsx';

export default function FaqPage({ brought }: { brought?: FaqInPage | undefined }) {
  const { t } = useTexts();
  return (
    <StandalonePage title={t('faq.title')}>
      <FaqText brought={brought} />
    </StandalonePage>
  );
}
