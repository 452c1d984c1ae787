import { type Alert, wordsOf } from './alerts.ts';
import { useTexts } from './texts.ts';

/** What an alert says, where a page has it in its own place. */
export function AlertLines({ alert: { messages } }: { alert: Alert }) {
  const { t } = useTexts();
  return messages.map((message) => {
    const words = wordsOf(message, t);
    return <p key={words}>{words}</p>;
  });
}
