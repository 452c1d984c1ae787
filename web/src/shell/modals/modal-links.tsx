import { Button } from '../../ui/button.tsx';
import { useSession } from '../session-context.ts';
import { useSignals } from '../signals.ts';
import { useTexts } from '../texts.ts';

const links = [
  { modal: 'faq', href: '/voter/faq', key: 'modal.link.faq' },
  { modal: 'privacy', href: '/voter/privacy', key: 'modal.link.privacy' },
  { modal: 'smsPolicy', href: '/voter/sms-policy', key: 'modal.link.smsTerms' },
] as const;

/** The footer's ways to what is worth reading: pages of their own, opened as a dialog where the script runs. */
export function ModalLinks() {
  const { t } = useTexts();
  const signals = useSignals();
  const session = useSession();
  return (
    <>
      {links.map(({ modal, href, key }) => (
        <li key={modal}>
          <a
            href={href}
            aria-haspopup="dialog"
            onClick={(event) => {
              // A voter who asks for another tab or window gets the page.
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              signals.send({ type: 'OPEN_MODAL', modal });
            }}
          >
            {t(key)}
          </a>
        </li>
      ))}
      {session && (
        <li>
          <Button
            look="quiet"
            aria-haspopup="dialog"
            onClick={() => signals.send({ type: 'OPEN_MODAL', modal: 'releaseNotes' })}
          >
            {t('modal.link.releaseNotes')}
          </Button>
        </li>
      )}
    </>
  );
}
