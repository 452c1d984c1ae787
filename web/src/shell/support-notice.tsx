import { Icon } from '../ui/icons.tsx';
import { Words } from '../ui/words.tsx';
import { usePage } from './page-context.ts';
import { useTexts } from './texts.ts';

/** The same help in the same place on every page (WCAG 3.2.6). */
export function SupportNotice() {
  const { t } = useTexts();
  const { branding } = usePage();
  const phone = formatPhone(branding.contact_phone);
  return (
    <section className="support" aria-labelledby="support-title">
      <h2 id="support-title" className="support-title">
        {t('support.title')}
      </h2>
      <p>
        <Words
          text={t('support.default', {
            county: branding.account_id === -1 ? t('app.name') : branding.name,
            phone,
            email: branding.contact_email,
          })}
        />
      </p>
      <p className="support-links">
        <a href={telOf(branding.contact_phone)}>
          <Icon name="phone" />
          <Words text={t('support.call', { phone })} />
        </a>
        <a href={`mailto:${branding.contact_email}`}>
          <Icon name="envelope" />
          <Words text={t('support.write', { email: branding.contact_email })} />
        </a>
      </p>
    </section>
  );
}

/** `(352) 555-0100`; a number that is not a US one stays as the office wrote it. */
export function formatPhone(phone: string): string {
  const digits = phone.replaceAll(/\D/g, '').replace(/^1(?=\d{10}$)/, '');
  return digits.length === 10
    ? `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`
    : phone;
}

/** The address of a call. An extension, as in `352-555-0100 ext. 7`, is dialed after a pause. */
export function telOf(phone: string): string {
  const [number = '', extension] = phone
    .split(/,|ext|x/i)
    .map((part) => part.replaceAll(/[^\d+]/g, ''));
  return `tel:${number}${extension ? `,${extension}` : ''}`;
}
