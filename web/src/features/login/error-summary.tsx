import './error-summary.css';
import type { RefObject } from 'react';
import { useTexts } from '../../shell/texts.ts';
import { fieldId } from '../../ui/field.tsx';
import type { LoginField } from './entries.ts';

/** The order in which the error summary names the fields: that of the form. */
const fields: readonly LoginField[] = [
  'firstname',
  'lastname',
  'zipcode',
  'birthdate',
  'recaptcha',
  'provided_voter_id',
  'token',
];

interface ErrorSummaryProps {
  summary: RefObject<HTMLElement | null>;
  say: (field: LoginField) => string | undefined;
}

/** Names all that is wrong above the form, each with the way to its field. */
export function ErrorSummary({ summary, say }: ErrorSummaryProps) {
  const { t } = useTexts();
  const wrong = fields.filter(say);
  if (wrong.length === 0) return null;
  return (
    <section className="error-summary" ref={summary} tabIndex={-1} aria-labelledby="login-wrong">
      <h3 id="login-wrong">{t('login.summary.title', { count: wrong.length })}</h3>
      <ul>
        {wrong.map((field) => (
          <li key={field}>
            <a
              href={`#${fieldId(field)}`}
              onClick={(event) => {
                event.preventDefault();
                document.getElementById(fieldId(field))?.focus();
              }}
            >
              {say(field)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
