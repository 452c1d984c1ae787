import { FaqText } from './faq-text.tsx';
import type { ModalName } from './modals.machine.ts';
import { OptOutQuestion } from './opt-out-question.tsx';
import { PrivacyText } from './privacy-text.tsx';
import { ReleaseNotes } from './release-notes.tsx';
import { SmsTermsText } from './sms-terms-text.tsx';

export interface ModalContentProps {
  readonly modal: ModalName;
  readonly close: () => void;
}

export function ModalContent({ modal, close }: ModalContentProps) {
  switch (modal) {
    case 'faq':
      return <FaqText />;
    case 'privacy':
      return <PrivacyText heading="h3" />;
    case 'smsPolicy':
      return <SmsTermsText />;
    case 'releaseNotes':
      return <ReleaseNotes />;
    case 'unsubscribeFromAll':
      return <OptOutQuestion close={close} />;
  }
}
