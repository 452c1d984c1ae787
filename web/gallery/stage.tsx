import { isLanguage, type Language, languages } from '@ballot-beacon/contract/languages';
import { findScreen } from '@ballot-beacon/contract/pages';
import { type ReactNode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from '../src/app/app.tsx';
import { lazyPartsOf } from '../src/app/pages.ts';
import {
  ballotWith,
  bootstrapWith,
  branding,
  criticalWith,
  fixWith,
  languageFile,
  pastBallots,
  readTexts,
  stoppedWith,
} from './fixtures.ts';
import { type Answer, type State, states } from './states.tsx';

/** Shows one state: `?state=GROUP/NAME&language=…&theme=light|dark`. Calls are answered from the fixtures. */

const search = new URLSearchParams(location.search);
const asked = search.get('language') ?? '';
const language: Language = isLanguage(asked) ? asked : 'english';
const state = states[search.get('state') ?? ''];
if (!state) throw new Error(`There is no state "${search.get('state')}".`);
await show(state);

async function show(state: State): Promise<void> {
  document.documentElement.lang = languages[language].tag;
  document.documentElement.dir = languages[language].dir;
  const theme = search.get('theme');
  if (theme) keepTheme(theme);
  const texts = await readTexts(language);
  const ballots = state.ballots?.map((status, index) => ballotWith(status, texts, index + 1));
  for (const { status_summary } of ballots ?? [])
    status_summary.current_status.outbound_expected_delivery_date = state.expectedDelivery ?? null;
  const [first] = ballots ?? [];
  if (first && state.isCountingReported)
    first.status_summary.current_status.display_description += ` ${texts['status.accepted.counting']}`;
  if (first && state.fix) first.fix = fixWith(texts, state.fix);
  if (first && state.stopped) first.stopped = stoppedWith(texts, ...state.stopped);
  const critical = ballots ? criticalWith(ballots, state.voter) : null;
  const bootstrap = bootstrapWith(language, texts, {
    branding: { ...branding, ...state.branding },
    flags: { ...state.flags },
    critical,
  });
  window.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.origin);
    const call = `${init?.method ?? 'GET'} ${url.pathname}`;
    return toResponse(state.answers?.[call] ?? (await answer(call, url)));
  };

  async function answer(call: string, url: URL): Promise<Answer> {
    const ok = (body: object) => ({ status: 200, body });
    switch (call) {
      case 'GET /api/voter/language-file': {
        const wanted = Object.entries(languages).find(
          ([, { locale }]) => locale === url.searchParams.get('language'),
        )?.[0];
        const name = wanted && isLanguage(wanted) ? wanted : language;
        return ok(languageFile(name, await readTexts(name)));
      }
      case 'GET /api/voter/information/me':
      case 'PATCH /api/voter/information/me':
        return critical ? ok(critical.voter) : { status: 403 };
      case 'GET /api/voter/ballot-status-progress/me':
        return critical ? ok(critical.progress) : { status: 403 };
      case 'GET /api/voter/archive-ballot':
        return ok({
          _embedded: { ballot: pastBallots },
          page_size: -1,
          total_items: pastBallots.length,
        });
      case 'GET /api/voter/faq':
        return ok({ content: bootstrap.faq });
      case 'GET /api/voter/release-note':
        return ok(releaseNotes);
      case 'GET /api/ldclient.php':
        return ok({ client_id: null });
      case 'POST /api/voter/session':
        return 'never';
    }
    return { status: 204 };
  }

  await Promise.all(
    lazyPartsOf(findScreen(state.path || '/'), critical !== null).map((one) => one.preload()),
  );
  const root = document.getElementById('root');
  if (!root) throw new Error('The stage has no #root.');
  await new Promise<void>((resolve) =>
    createRoot(root).render(
      <Watched onReady={resolve}>
        {state.component ? <main>{state.component()}</main> : <App bootstrap={bootstrap} />}
      </Watched>,
    ),
  );
  await state.act?.();
  document.documentElement.dataset.ready = '';
}

/** Its effect runs after those of all it contains: from then on the page hears what a visitor does. */
function Watched({ onReady, children }: { onReady: () => void; children: ReactNode }) {
  useEffect(onReady, [onReady]);
  return children;
}

function toResponse(answer: Answer): Promise<Response> {
  if (answer === 'never') return new Promise(() => {});
  const { status, body } = answer;
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  return Promise.resolve(
    new Response(body ? JSON.stringify(body) : null, { status, headers: { 'content-type': type } }),
  );
}

/** The theme follows the system; here it is chosen, also for style sheets that come later. */
function keepTheme(theme: string): void {
  document.documentElement.style.colorScheme = theme;
  const apply = () => {
    for (const sheet of document.styleSheets) for (const rule of sheet.cssRules) applyTo(rule);
  };
  const applyTo = (rule: CSSRule): void => {
    if (rule instanceof CSSMediaRule && rule.conditionText.includes('prefers-color-scheme: dark'))
      rule.media.mediaText = theme === 'dark' ? 'screen' : 'not all';
    else if (rule instanceof CSSGroupingRule) for (const inner of rule.cssRules) applyTo(inner);
  };
  new MutationObserver(apply).observe(document.head, { childList: true });
  apply();
}

const releaseNotes = {
  _embedded: {
    release_note: [2, 1].map((release_note_id) => ({
      release_note_id,
      release_note: '<p>You can choose the <strong>hours</strong> in which we may call.</p>',
      published_datetime: `2026-10-1${release_note_id}T15:00:00Z`,
    })),
  },
  _links: {},
  page: 1,
  page_count: 1,
  page_size: 2,
  total_items: 2,
};
