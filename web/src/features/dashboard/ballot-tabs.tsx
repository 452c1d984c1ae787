import './ballot-tabs.css';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useTexts } from '../../shell/texts.ts';
import { tabOfKey } from './tab-keys.ts';
import type { BallotTab } from './use-ballot-tab.ts';

interface BallotTabsProps {
  shown: BallotTab;
  onChoose: (tab: BallotTab) => void;
  panels: Readonly<Record<BallotTab, ReactNode>>;
}

const tabs = ['current', 'previous'] as const;

/** Current and previous ballots one at a time: tabs where there is room, a list to choose from on a phone. */
export function BallotTabs({ shown, onChoose, panels }: BallotTabsProps) {
  const { t } = useTexts();
  const header = useRef<HTMLDivElement>(null);

  // Arrows move between the tabs, Enter and Space choose: no ballot is fetched or shown on the way past it.
  const moveFocus = (event: KeyboardEvent) => {
    const buttons = [...(header.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const isRightToLeft = document.documentElement.dir === 'rtl';
    const to = tabOfKey(event.key, { at, count: buttons.length, isRightToLeft });
    if (to === null) return;
    event.preventDefault();
    buttons[to]?.focus();
  };

  return (
    <div className="ballot-tabs">
      <div
        className="ballot-tabs-wide"
        role="tablist"
        aria-label={t('dashboard.tabs')}
        ref={header}
        onKeyDown={moveFocus}
      >
        {tabs.map((tab) => (
          <button
            type="button"
            role="tab"
            id={`tab-${tab}`}
            key={tab}
            aria-selected={tab === shown}
            aria-controls={`panel-${tab}`}
            tabIndex={tab === shown ? 0 : -1}
            onClick={() => onChoose(tab)}
          >
            {t(`dashboard.${tab}`)}
          </button>
        ))}
      </div>
      <div className="ballot-tabs-narrow">
        <label htmlFor="tab-choice">{t('dashboard.tabs')}</label>
        <select
          id="tab-choice"
          className="field-input"
          value={shown}
          onChange={(event) => onChoose(event.currentTarget.value as BallotTab)}
        >
          {tabs.map((tab) => (
            <option value={tab} key={tab}>
              {t(`dashboard.${tab}`)}
            </option>
          ))}
        </select>
      </div>
      {tabs.map((tab) => (
        <div
          className="ballot-panel"
          role="tabpanel"
          id={`panel-${tab}`}
          key={tab}
          aria-labelledby={`tab-${tab}`}
          data-shown={tab === shown ? '' : undefined}
        >
          {panels[tab]}
        </div>
      ))}
    </div>
  );
}
