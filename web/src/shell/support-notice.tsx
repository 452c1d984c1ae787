import { Icon } from '../ui/icons.tsx';
import { usePage } from './page-context.ts';
import { useTexts } from './texts.ts';

/** The same help in the same place on every page (WCAG 3.2.6). */
export function SupportNotice() {
  const { t } = useTexts();
  const { branding } = usePage();
  return (
    <section className="support" aria-labelledby="support-title">
      <h2 id="support-title" className="support-title">
        {t('support.title')}
      </h2>
      <p>
        {t('support.default', {
          county: branding.account_id === -1 ? t('app.name') : branding.name,
          phone: phoneInText(branding.contact_phone),
          email: isolate(branding.contact_email),
        })}
      </p>
      <p className="support-links">
        <a href={`tel:${branding.contact_phone.replaceAll(/[^\d+]/g, '')}`}>
          <Icon name="phone" />
          {t('support.call', { phone: phoneInText(branding.contact_phone) })}
        </a>
        <a href={`mailto:${branding.contact_email}`}>
          <Icon name="envelope" />
          <Breakable text={t('support.write', { email: isolate(branding.contact_email) })} />
        </a>
      </p>
    </section>
  );
}

/** An address that does not fit its line breaks after its at sign. */
function Breakable({ text }: { text: string }) {
  const [before, after] = text.split('@');
  return (
    <span>
      {before}
      {after !== undefined && (
        <>
          @<wbr />
          {after}
        </>
      )}
    </span>
  );
}

/** `(352) 555-0100`; a number that is not a US one stays as the office wrote it. */
export function formatPhone(phone: string): string {
  const digits = phone.replaceAll(/\D/g, '').replace(/^1(?=\d{10}$)/, '');
  return digits.length === 10
    ? `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`
    : phone;
}

/** A phone number inside a sentence: in one piece, also at the end of a line. */
export const phoneInText = (phone: string) => isolate(formatPhone(phone).replaceAll(' ', '\u00a0'));

/** Keeps a number or address in one piece inside a sentence that runs right to left. */
export const isolate = (text: string) => `\u2068${text}\u2069`;
