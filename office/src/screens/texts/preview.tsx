import { officeCalls } from '@ballot-beacon/contract/office/calls';
import { type PreviewScreen, previewScreens } from '@ballot-beacon/contract/office/words';
import { useState } from 'react';
import { Choice } from '../../shell/choice.tsx';
import { VoterPage } from '../../shell/voter-page.tsx';
import { t } from '../../words/index.ts';

const usual: Readonly<Record<string, PreviewScreen>> = {
  faq: 'faq',
  'no-ballot': 'dashboard',
  'county-information': 'dashboard',
};

/** The voter's page with the saved draft, at two widths. */
export function Preview({
  text,
  language,
  version,
  isUnsaved,
}: {
  readonly text: string;
  readonly language: string;
  /** Loads it anew when it changes. */
  readonly version: string;
  readonly isUnsaved: boolean;
}) {
  const [screen, setScreen] = useState<PreviewScreen>(usual[text] ?? 'login');
  const query = new URLSearchParams({ text, language, screen });
  const address = `${officeCalls.previewText.path}?${query}`;
  return (
    <section className="panel card preview-panel">
      <h2>{t('text.preview')}</h2>
      <p className="help">{t('text.preview.help')}</p>
      {isUnsaved && <p className="notice">{t('text.preview.unsaved')}</p>}
      <Choice
        id="preview-screen"
        label={t('text.preview.screen')}
        value={screen}
        options={previewScreens.map((one) => ({ value: one, name: t(`text.screen.${one}`) }))}
        onChange={(value) => setScreen(previewScreens.find((one) => one === value) ?? 'login')}
      />
      <VoterPage title={t('text.preview')} {...{ address, version }} />
    </section>
  );
}
