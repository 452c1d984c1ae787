import { usePage } from '../page-context.ts';
import { useTexts } from '../texts.ts';

const parts = ['envelope', 'use', 'news', 'share', 'keep', 'choices'] as const;

export function PrivacyText() {
  const { t } = useTexts();
  const { branding } = usePage();
  const office = branding.account_id === -1 ? t('privacy.anyOffice') : branding.name;
  return (
    <div className="prose">
      <p>{t('privacy.intro', { office })}</p>
      {parts.map((part) => (
        <section key={part}>
          <h3>{t(`privacy.${part}.title`)}</h3>
          <p>{t(`privacy.${part}.text`, { office })}</p>
        </section>
      ))}
    </div>
  );
}
