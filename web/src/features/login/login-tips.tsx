import { usePage } from '../../shell/page-context.ts';
import { formatPhone } from '../../shell/support-notice.tsx';
import { useTexts } from '../../shell/texts.ts';
import { Words } from '../../ui/words.tsx';

/** What most often keeps a voter from being found, and whom to call. */
export function LoginTips() {
  const { t } = useTexts();
  const { branding } = usePage();
  const phone = formatPhone(branding.contact_phone);
  const county = branding.account_id === -1 ? t('app.name') : branding.name;
  return (
    <section className="login-tips" role="status" aria-labelledby="login-tips">
      <h3 id="login-tips">{t('login.tips.title')}</h3>
      <ol>
        <li>{t('login.tips.nickname')}</li>
        <li>{t('login.tips.address')}</li>
        <li>{t('login.tips.date')}</li>
      </ol>
      <p>
        <Words text={t('login.tips.call', { county, phone })} />
      </p>
    </section>
  );
}
