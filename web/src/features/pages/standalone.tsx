import './pages.css';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { StandaloneFrame } from '../../shell/standalone-frame.tsx';
import { SupportNotice } from '../../shell/support-notice.tsx';
import { useTexts } from '../../shell/texts.ts';

/** A page to read, for anyone: its title, its text, and the way to the product. The logo above leads home too. */
export function StandalonePage({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTexts();
  return (
    <StandaloneFrame>
      <div className="standalone">
        <article className="standalone-text card">
          <h1>{title}</h1>
          {children}
          <p>
            <Link className="button button-primary" href="/">
              {t('pages.visit')}
            </Link>
          </p>
        </article>
        <aside>
          <SupportNotice />
        </aside>
      </div>
    </StandaloneFrame>
  );
}
