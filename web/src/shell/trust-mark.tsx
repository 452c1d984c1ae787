import './trust-mark.css';
import { Icon } from '../ui/icons.tsx';
import { usePage } from './page-context.ts';
import { useTexts } from './texts.ts';

/** Whose official site this is, how to know, and the way to the office's own site. Opens without the script too. */
export function TrustMark() {
  const { t } = useTexts();
  const { branding } = usePage();
  const isBranded = branding.account_id !== -1;
  const office = branding.name;
  const link = isBranded ? branding.url : branding.locator_url;
  return (
    <details className="trust">
      <summary>
        <Icon name="shield" />
        <span>
          {isBranded ? t('trust.official', { office }) : t('trust.anyOffice')}{' '}
          <span className="trust-how">{t('trust.how')}</span>
        </span>
      </summary>
      <ul>
        <li>{t('trust.address')}</li>
        <li>{t('trust.never')}</li>
        {link && (
          <li>
            <a href={link} rel="noreferrer">
              {isBranded ? t('trust.link', { office }) : t('trust.find')}
            </a>
          </li>
        )}
      </ul>
    </details>
  );
}
