import { usePage } from '../page-context.ts';
import { useTexts } from '../texts.ts';

const points = ['alerts', 'frequency', 'stop', 'help', 'carriers', 'rates'] as const;

export function SmsTermsText() {
  const { t } = useTexts();
  const { branding } = usePage();
  return (
    <div className="prose">
      <p>{t('smsTerms.intro')}</p>
      <ul>
        {points.map((point) => (
          <li key={point}>{t(`smsTerms.${point}`, { code: branding.short_code })}</li>
        ))}
      </ul>
      <p>
        <a href="/voter/privacy">{t('smsTerms.privacy')}</a>
      </p>
    </div>
  );
}
