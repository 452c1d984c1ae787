import { usePage } from '../../shell/page-context.ts';
import { formatPhone } from '../../shell/support-notice.tsx';
import { useTexts } from '../../shell/texts.ts';
import { Words } from '../../ui/words.tsx';

/** What is tested for, what is known to fall short, and whom to tell of a barrier. */
export function AccessibilityText() {
  const { t } = useTexts();
  const { branding } = usePage();
  const office = {
    phone: formatPhone(branding.contact_phone),
    email: branding.contact_email,
  };
  return (
    <div className="prose">
      <p>{t('accessibility.intro')}</p>
      {(['tested', 'limits', 'report'] as const).map((part) => (
        <section key={part}>
          <h2>{t(`accessibility.${part}.title`)}</h2>
          <p>
            <Words text={t(`accessibility.${part}.text`, office)} />
          </p>
        </section>
      ))}
    </div>
  );
}
