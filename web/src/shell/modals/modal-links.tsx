import { Button } from '../../ui/button.tsx';
import { usePage } from '../page-context.ts';
import { useSession } from '../session-context.ts';
import { useSignals } from '../signals.ts';
import { useTexts } from '../texts.ts';
import type { ModalName } from './modals.machine.ts';

/** The page with the same words as a dialog. */
export const pages: Readonly<Partial<Record<ModalName, string>>> = {
  faq: '/voter/faq',
  privacy: '/voter/privacy',
  smsPolicy: '/voter/sms-policy',
};

const links = [
  { modal: 'faq', key: 'modal.link.faq' },
  { modal: 'privacy', key: 'modal.link.privacy' },
  { modal: 'smsPolicy', key: 'modal.link.smsTerms' },
] as const;

/** The footer's links to pages that open as a dialog where the script runs. */
export function ModalLinks() {
  const { t } = useTexts();
  const signals = useSignals();
  const session = useSession();
  const { branding } = usePage();
  return (
    <>
      {links.map(({ modal, key }) => (
        <li key={modal}>
          <a
            href={pages[modal]}
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
      {session && branding.has_release_notes && (
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
