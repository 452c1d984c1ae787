import type { ReactNode } from 'react';
import { AlertBanner } from './alert-banner.tsx';
import { FooterFrame } from './footer.tsx';
import { OfficeAlert } from './office-alert.tsx';
import { SkipLinks } from './skip-links.tsx';
import { TopBar } from './top-bar.tsx';

/** What surrounds a page that stands outside the main shell: a logo that leads home, and the languages. */
export function StandaloneFrame({ children }: { children: ReactNode }) {
  return (
    <div className="frame">
      <SkipLinks form={null} />
      <TopBar />
      <main id="main" tabIndex={-1}>
        <OfficeAlert />
        <AlertBanner />
        {children}
      </main>
      <FooterFrame />
    </div>
  );
}
