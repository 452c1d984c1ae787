import './login.css';
import './captcha.css';
import { usePage } from '../../shell/page-context.ts';
import { SupportNotice } from '../../shell/support-notice.tsx';
import { useTexts } from '../../shell/texts.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { LoginForm } from './login-form.tsx';
import { OutageBanner } from './outage-banner.tsx';

interface LoginPageProps {
  onFirstUse: () => void;
  sent?: Readonly<Record<string, string>> | undefined;
}

const journey: readonly IconName[] = ['printer', 'sent', 'returned', 'ballotBox'];

export function LoginPage({ onFirstUse, sent }: LoginPageProps) {
  const { t } = useTexts();
  const { branding } = usePage();
  return (
    <div className="login-page">
      <OutageBanner />
      <div className="hero">
        <div className="hero-inner">
          {branding.logo_url && (
            <img className="hero-logo" src={branding.logo_url} alt="" width="72" height="72" />
          )}
          <h1>{t('login.hero.title')}</h1>
          <p className="hero-text">{t('login.hero.text')}</p>
          <ol className="hero-journey">
            {journey.map((icon, index) => (
              <li key={icon}>
                <span className="hero-stop">
                  <Icon name={icon} />
                </span>
                {t(`login.hero.step${index + 1}`)}
              </li>
            ))}
          </ol>
        </div>
      </div>
      <div className="login-card card">
        <LoginForm onFirstUse={onFirstUse} sent={sent} />
        <a href="/voter/letter">{t('login.letter')}</a>
      </div>
      <aside className="login-aside">
        <section className="login-why">
          <h2>{t('login.why.title')}</h2>
          <p>{t('login.why.text')}</p>
        </section>
        <SupportNotice />
      </aside>
    </div>
  );
}
