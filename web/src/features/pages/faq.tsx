import { FaqText } from '../../shell/modals/faq-text.tsx';
import { useTexts } from '../../shell/texts.ts';
import { StandalonePage } from './standalone.tsx';

/** @param first the office's answers as the page brought them, in the page's first language. */
export default function FaqPage({ first }: { first?: string | undefined }) {
  const { t } = useTexts();
  return (
    <StandalonePage title={t('faq.title')}>
      <FaqText first={first} />
    </StandalonePage>
  );
}
