import { Link } from 'wouter';
import { useTexts } from '../shell/texts.ts';

export default function NotFound() {
  const { t } = useTexts();
  return (
    <section className="message-page card">
      <h1>{t('app.notFound.title')}</h1>
      <p>{t('app.notFound.text')}</p>
      <Link className="button button-primary" href="/">
        {t('app.notFound.back')}
      </Link>
    </section>
  );
}
