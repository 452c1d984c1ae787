import { usePage } from '../page-context.ts';
import { useTexts } from '../texts.ts';

const parts = ['envelope', 'use', 'news', 'share', 'keep', 'choices'] as const;

/** @param heading the level of its parts' headings, one below the title around it. */
export function PrivacyText({ heading: Heading }: { heading: 'h2' | 'h3' }) {
  const { t } = useTexts();
  const { branding } = usePage();
  const office = branding.account_id === -1 ? t('privacy.anyOffice') : branding.name;
  return (
    <div className="prose">
      <p>{t('privacy.intro', { office })}</p>
      {parts.map((part) => (
        <section key={part}>
          <Heading>{t(`privacy.${part}.title`)}</Heading>
          <p>{t(`privacy.${part}.text`, { office })}</p>
        </section>
      ))}
    </div>
  );
}
