import type { Screen } from '@ballot-beacon/contract/pages';
import { Suspense, useEffect } from 'react';
import { useLocation } from 'wouter';
import type { SessionData } from '../api/critical-data.ts';
import { LoginPage } from '../features/login/index.tsx';
import type { FaqInPage } from '../shell/modals/office-content.ts';
import { useTexts } from '../shell/texts.ts';
import { Loading } from '../ui/loading.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import {
  confirmEmailPage,
  dashboardPage,
  messagesPage,
  plainPages,
  preferencesForm,
  preferencesPage,
  preloadMembersScreens,
  readingPage,
} from './pages.ts';

interface ScreenContentProps {
  screen: Screen;
  /** Null for a visitor, who sees no members' screen. */
  critical: SessionData | null;
  sent: Readonly<Record<string, string>> | undefined;
  /** The office's answers, on the page that shows them. */
  faq: FaqInPage | undefined;
}

/** The screen itself, inside whatever frame it has. One that breaks leaves the frame standing. */
export function ScreenContent(props: ScreenContentProps) {
  const [path] = useLocation();
  return (
    <ErrorBoundary key={path}>
      <Suspense fallback={<Wait />}>
        <Content {...props} />
        <Ready />
      </Suspense>
    </ErrorBoundary>
  );
}

function Content({ screen, critical, sent, faq }: ScreenContentProps) {
  const plain = plainPages[screen];
  if (plain) return <plain.Page />;
  if (
    screen === 'privacy' ||
    screen === 'faq' ||
    screen === 'sms-policy' ||
    screen === 'accessibility'
  )
    return <readingPage.Page key={screen} name={screen} faq={faq} />;
  if (critical) {
    if (screen === 'dashboard')
      return (
        <dashboardPage.Page
          critical={critical}
          preferences={<preferencesForm.Page critical={critical} heading="h2" />}
        />
      );
    if (screen === 'preferences') return <preferencesPage.Page critical={critical} />;
    if (screen === 'messages') return <messagesPage.Page />;
    if (screen === 'confirm-email') return <confirmEmailPage.Page critical={critical} />;
  } else if (screen === 'login') return <LoginPage onFirstUse={preloadAhead} sent={sent} />;
  // On the way to where the visitor belongs.
  return <Wait />;
}

/**
 * Brings a visitor who changed pages to the top of the new one, its heading focused (a browser does that by itself only
 * for a page that it loads). Also marks the document once the screen reacts: effects of what stands before this one in the page have run, those of the
 * parts that hydrate by themselves (the idle watch, the top bar's tools) included.
 */
function Ready() {
  useEffect(() => {
    const { dataset } = document.documentElement;
    if ('ready' in dataset) {
      scrollTo(0, 0);
      const heading = document.querySelector<HTMLElement>('main h1');
      if (heading) heading.tabIndex = -1;
      heading?.focus({ preventScroll: true });
    }
    dataset.ready = '';
  }, []);
  return null;
}

function Wait() {
  const { t } = useTexts();
  return <Loading text={t('app.loading')} slowText={t('app.loadingSlow')} />;
}

/** While the voter types, what comes after signing in is fetched; if that fails, it is fetched when needed. */
function preloadAhead() {
  preloadMembersScreens().catch(() => {});
}
