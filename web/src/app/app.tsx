import '../ui/styles/index.css';
import '../shell/shell.css';
import '../shell/top-bar.css';
import type { Bootstrap } from '@ballot-beacon/contract/bootstrap';
import type { Branding } from '@ballot-beacon/contract/branding';
import {
  defaultLanguage,
  isLanguage,
  type Language,
  languageCookieDomain,
  languageCookieName,
  languages,
} from '@ballot-beacon/contract/languages';
import { base, findScreen, loggedOutName } from '@ballot-beacon/contract/pages';
import { Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { Router, useLocation, useSearch } from 'wouter';
import { call, onSessionEnded } from '../api/client.ts';
import type { SessionData } from '../api/critical-data.ts';
import { loggedOutAlert, sessionExpiredAlert, signInLostAlert } from '../shell/alerts.ts';
import { createAnalytics } from '../shell/analytics.ts';
import type { Analytics } from '../shell/counter.ts';
import { useLiveFlags } from '../shell/flags.ts';
import { leaveFor } from '../shell/leave-for.ts';
import { allTexts, expectMoreTexts } from '../shell/more-texts.ts';
import { PageContext } from '../shell/page-context.ts';
import { SessionContext } from '../shell/session-context.ts';
import { endSession } from '../shell/session-end.ts';
import { createSignals, SignalsContext, useSignals } from '../shell/signals.ts';
import { discard } from '../shell/tab-memory.ts';
import { createPageTexts, TextsContext, useTexts } from '../shell/texts.ts';
import { createTranslationsMachine, type LoadedTexts } from '../shell/translations.machine.ts';
import { useRegion } from '../shell/use-region.ts';
import { createAppMachine } from './app.machine.ts';
import { Frame } from './frame.tsx';
import { membersWatch, preloadMembersScreens } from './pages.ts';
import { findRedirect } from './routes.ts';
import { ScreenContent } from './screen-content.tsx';
import { titleOf } from './title.ts';

export interface AppProps {
  bootstrap: Bootstrap;
  /** Path and search for the server render; in a browser the address bar says. */
  url?: string;
  /** What was typed into a login form that was sent before the script arrived. */
  sent?: Readonly<Record<string, string>> | undefined;
}

export function App({ bootstrap, url, sent }: AppProps) {
  const [signals] = useState(createSignals);
  const [path, search] = url?.split('?', 2) ?? [];
  return (
    <SignalsContext value={signals}>
      <Router base={base} {...(path !== undefined && { ssrPath: path, ssrSearch: search ?? '' })}>
        <Regions bootstrap={bootstrap} sent={sent} />
      </Router>
    </SignalsContext>
  );
}

/** The page-wide machines, and what they know handed down. */
function Regions({ bootstrap, sent }: Pick<AppProps, 'bootstrap' | 'sent'>) {
  const { branding } = bootstrap;
  const [analytics] = useState(() => createAnalytics(branding));
  const [translationsMachine] = useState(() => createTranslations(analytics, branding));
  const [translations, region] = useRegion(translationsMachine, {
    input: {
      isWhole: !bootstrap.has_more_texts,
      language: isLanguage(bootstrap.language) ? bootstrap.language : defaultLanguage,
      texts: bootstrap.language_file.texts,
      isReviewed: bootstrap.language_file.is_reviewed,
    },
  });
  const { language, texts, isReviewed, hasChosen } = translations.context;
  useEffect(() => {
    const shown = () => region.getSnapshot().context;
    return expectMoreTexts(async () => {
      if (shown().isWhole) return;
      const { language } = shown();
      const loaded = await loadTexts(language);
      if (loaded) region.send({ type: 'TEXTS_READY', language, ...loaded });
      if (!shown().isWhole) throw new Error(`Could not fetch the texts in ${language}`);
    });
  }, [region]);
  const pageTexts = useMemo(
    () => createPageTexts(language, texts, isReviewed),
    [language, texts, isReviewed],
  );
  return (
    <TextsContext value={pageTexts}>
      <Screens bootstrap={bootstrap} sent={sent} analytics={analytics} hasChosen={hasChosen} />
    </TextsContext>
  );
}

async function loadTexts(language: Language): Promise<LoadedTexts | null> {
  const outcome = await call('getLanguageFile', {
    query: { section: 'main', language: languages[language].locale },
  });
  if (outcome.kind !== 'answered') return null;
  return { texts: outcome.answer.texts, isReviewed: outcome.answer.is_reviewed };
}

function createTranslations(analytics: Analytics, branding: Branding) {
  return createTranslationsMachine({
    load: loadTexts,
    onChange: (language) => {
      const { tag, dir } = languages[language];
      document.documentElement.lang = tag;
      document.documentElement.dir = dir;
      keepLanguage(language, branding.language_cookie_domain);
      removeFromAddress(languageCookieName);
    },
    onFailure: (language) => {
      analytics.event('event:translations-failed');
      console.info(`Could not fetch the texts in ${language}`);
    },
  });
}

function keepLanguage(language: Language, sites: string | undefined) {
  const domain = languageCookieDomain(sites, location.hostname);
  const write = (value: string) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve
    document.cookie = `${languageCookieName}=${value}; path=/; samesite=lax`;
  };
  // A choice for this host alone, from before the domain was set, would come first.
  if (domain) write('; max-age=0');
  write(`${language}; max-age=31536000${domain ? `; domain=${domain}` : ''}`);
}

/** What the address asked for is done or overtaken, also at the next reload. */
function removeFromAddress(name: string) {
  const address = new URL(location.href);
  if (!address.searchParams.has(name)) return;
  address.searchParams.delete(name);
  history.replaceState(history.state, '', address);
}

interface ScreensProps extends Pick<AppProps, 'bootstrap' | 'sent'> {
  analytics: Analytics;
  /** Whether the visitor chose the language on this page. */
  hasChosen: boolean;
}

function Screens({ bootstrap, sent, analytics, hasChosen }: ScreensProps) {
  const { t, language } = useTexts();
  const [path, navigate] = useLocation();
  const search = useSearch();
  const signals = useSignals();
  const languageNow = useRef(language);
  languageNow.current = language;
  const [machine] = useState(() =>
    createAppMachine({
      loadCriticalData: async () => {
        // The sign-in was answered, and is lost already.
        if (!navigator.cookieEnabled) return null;
        // What the address brought along, the code of a confirmation mail, goes on to it.
        if (await needsNewPage(bootstrap.branding)) {
          leaveFor(base + location.search);
          return new Promise(() => {});
        }
        const [critical] = await Promise.all([
          // Fetched ahead with the members' screens, at the first use of the form.
          import('../api/critical-data.ts').then(({ loadCriticalData }) =>
            loadCriticalData(languageNow.current),
          ),
          preloadMembersScreens(),
        ]);
        return critical;
      },
      announceCriticalData: (critical) => signals.send({ type: 'CRITICAL_DATA_READY', critical }),
      announceLogout: () => signals.send({ type: 'LOGOUT', alerts: [signInLostAlert()] }),
      endSession: (voterId) =>
        void endSession(voterId, () =>
          signals.send({
            type: 'UPDATE_GLOBAL_ALERTS',
            alerts: [{ type: 'notice', messages: [{ key: 'app.logOutDelayed' }] }],
          }),
        ),
    }),
  );
  const [state] = useRegion(machine, { input: { critical: sessionIn(bootstrap) } });
  const { critical } = state.context;

  const { branding } = bootstrap;
  const flags = useLiveFlags(bootstrap.flags, critical?.voter ?? null);
  const languageOffer = hasChosen ? undefined : bootstrap.language_offer;
  const page = useMemo(
    () => ({ branding, flags, languageOffer }),
    [branding, flags, languageOffer],
  );

  const screen = findScreen(path);
  const redirect = findRedirect(path, search, critical);
  useEffect(() => {
    if (redirect) navigate(redirect, { replace: true });
  }, [redirect, navigate]);

  const isSignedIn = critical !== null;
  useEffect(() => {
    if (!isSignedIn) return;
    return onSessionEnded((name) => {
      // A save has its own words, for what was not saved.
      if (name === 'updatePreferences') return;
      signals.send({ type: 'LOGOUT', alerts: [sessionExpiredAlert], isEnded: true });
    });
  }, [isSignedIn, signals]);

  useEffect(() => {
    if (isSignedIn || !new URLSearchParams(search).has(loggedOutName)) return;
    // Without its script the page could neither say so nor inform the other tabs.
    discard('voter');
    signals.send({ type: 'UPDATE_GLOBAL_ALERTS', alerts: [loggedOutAlert] });
    removeFromAddress(loggedOutName);
  }, [isSignedIn, search, signals]);

  useEffect(() => {
    // A stop on the way is no page anybody saw.
    if (screen !== 'confirm-check' && !redirect) analytics.pageView(`page:${screen}`);
  }, [analytics, screen, redirect]);

  const title = titleOf(screen, branding, t, critical);
  useEffect(() => {
    document.title = title;
  }, [title]);

  return (
    <PageContext value={page}>
      <SessionContext value={critical}>
        {critical && (
          <Suspense>
            <membersWatch.Page critical={critical} screen={screen} />
          </Suspense>
        )}
        <Frame screen={screen}>
          <ScreenContent screen={screen} critical={critical} sent={sent} faq={faqIn(bootstrap)} />
        </Frame>
      </SessionContext>
    </PageContext>
  );
}

/** Whether a voter who has just signed in goes on to a page that the server makes. */
async function needsNewPage({ account_id, analytics }: Branding): Promise<boolean> {
  // A voter of any county signs in at a site of none: only the server can then make that county's page.
  if (account_id === -1) return true;
  // A company's analytics that run on this page must not see the voter's: a new page is without them.
  if (analytics && !analytics.when_signed_in) return true;
  // Nobody is signed out again for texts that cannot be fetched: that page has them.
  return allTexts().then(
    () => false,
    () => true,
  );
}

/** What came with the page, in the language it came in. */
function sessionIn({ critical, language }: Bootstrap): SessionData | null {
  if (!critical) return null;
  const asked = {
    language: isLanguage(language) ? language : defaultLanguage,
    at: performance.now(),
    clock: Date.now(),
  };
  return { ...critical, asked };
}

function faqIn({ faq, language }: Bootstrap) {
  return faq === undefined || !isLanguage(language) ? undefined : { language, html: faq };
}
