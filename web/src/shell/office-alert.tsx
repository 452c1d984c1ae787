import { Icon } from '../ui/icons.tsx';
import { useTexts } from './texts.ts';

/** What the office has to say to every visitor now, in its own words (`beacon alert set`). */
export function OfficeAlert() {
  const { t } = useTexts();
  const ownWords = t('alert.office.html');
  if (!ownWords) return null;
  return (
    <section className="alerts" aria-label={t('alert.label.notice')}>
      <div className="alerts-inner">
        <div className="alert" data-type="notice">
          <Icon name="info" />
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the server lets through only what is on the allow-list */}
          <div dangerouslySetInnerHTML={{ __html: ownWords }} />
        </div>
      </div>
    </section>
  );
}
