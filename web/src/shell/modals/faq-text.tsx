import { Loading } from '../../ui/loading.tsx';
import { useTexts } from '../texts.ts';
import { Difficulties } from './difficulties.tsx';
import { useFaq } from './office-content.ts';
import { OfficeHtml } from './office-html.tsx';

/** @param first what the page brought along, in the page's first language. */
export function FaqText({ first }: { first?: string | undefined }) {
  const { t, language } = useTexts();
  const faq = useFaq(language, first);
  if (faq.data !== undefined)
    return faq.data.trim() === '' ? <p>{t('faq.empty')}</p> : <OfficeHtml html={faq.data} />;
  if (faq.isError) return <Difficulties onRetry={() => faq.refetch()} />;
  return <Loading text={t('app.loading')} slowText={t('app.loadingSlow')} />;
}
