import { Loading } from '../../ui/loading.tsx';
import { useTexts } from '../texts.ts';
import { Difficulties } from './difficulties.tsx';
import { type FaqInPage, useFaq } from './office-content.ts';
import { OfficeHtml } from './office-html.tsx';

export function FaqText({ brought }: { brought?: FaqInPage | undefined }) {
  const { t, language } = useTexts();
  const faq = useFaq(language, brought);
  if (faq.data !== undefined)
    return faq.data.trim() === '' ? <p>{t('faq.empty')}</p> : <OfficeHtml html={faq.data} />;
  if (faq.isError) return <Difficulties onRetry={() => faq.refetch()} />;
  return <Loading text={t('app.loading')} slowText={t('app.loadingSlow')} />;
}
