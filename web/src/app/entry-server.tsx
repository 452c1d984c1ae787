import { entry, scripts, styles } from 'virtual:page-assets';
import { type Bootstrap, bootstrapElementId } from '@ballot-beacon/contract/bootstrap';
import { defaultLanguage, isLanguage, languages } from '@ballot-beacon/contract/languages';
import { pageColors } from '@ballot-beacon/contract/page-colors';
import { base, findScreen } from '@ballot-beacon/contract/pages';
import { createTranslate, type Translate } from '@ballot-beacon/contract/translate';
import { renderToString } from 'react-dom/server';
import { formatPhone } from '../shell/support-notice.tsx';
import { App } from './app.tsx';
import { lazySourcesOf } from './page-sources.ts';
import { lazyPartsOf } from './pages.ts';
import { findLocator, findRedirect } from './routes.ts';
import { themeOf } from './theme.ts';
import { titleOf } from './title.ts';

export interface RenderInput {
  readonly bootstrap: Bootstrap;
  /** Path and search: `/voter/dashboard?x=1`. */
  readonly url: string;
  /** What was typed into a login form that was sent before the script arrived. Never cache such a page. */
  readonly form?: Readonly<Record<string, string>>;
}

export interface RenderedPage {
  /** The whole document; empty for a redirect. */
  readonly html: string;
  readonly title: string;
  readonly status: 200 | 302 | 404;
  readonly redirect?: string;
  /** For the policy's style-src: the hashes of the page's own style sheet. */
  readonly styleHashes: readonly string[];
}

const hashes = new Map<string, Promise<string>>();

/** Renders a page as the browser will first see it, data and styles inside. Throws only for a bug. */
export async function render({ bootstrap, url, form }: RenderInput): Promise<RenderedPage> {
  const [pathname = '', search = ''] = url.split('?', 2);
  const path = pathname.slice(base.length) || '/';
  const { branding, critical } = bootstrap;
  const language = isLanguage(bootstrap.language) ? bootstrap.language : defaultLanguage;
  const t = createTranslate(language, bootstrap.language_file.texts);
  const screen = findScreen(path);
  const title = titleOf(screen, branding, t, critical);

  const inside = findRedirect(path, search, critical);
  const redirect = findLocator(branding) ?? (inside && base + inside.replace(/^\/(?=$|\?)/, ''));
  if (redirect) return { html: '', title, status: 302, redirect, styleHashes: [] };

  const isSignedIn = critical !== null;
  await Promise.all(lazyPartsOf(screen, isSignedIn).map(({ preload }) => preload()));
  const sent = form && pick(form, ['firstname', 'lastname', 'zipcode', 'birthdate']);
  const style = styles + themeOf(branding);
  const root = renderToString(
    <App bootstrap={bootstrap} url={search ? `${pathname}?${search}` : pathname} sent={sent} />,
  );
  const { tag, dir } = languages[language];
  const html = `<!doctype html>
<html lang="${tag}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(t('login.hero.text'))}">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<link rel="icon" href="${base}/favicon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="${base}/apple-touch-icon.png">
<link rel="manifest" href="${base}/manifest.webmanifest">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${pageColors.light.top}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${pageColors.dark.top}">
${scriptTags(lazySourcesOf(screen, isSignedIn))}
<style>${style}</style>
</head>
<body>
${noScript(bootstrap, t)}
<div id="root">${root}</div>
<script type="application/json" id="${bootstrapElementId}">${toScriptJson({ bootstrap, sent })}</script>
</body>
</html>
`;
  return {
    html,
    title,
    status: screen === 'not-found' ? 404 : 200,
    styleHashes: [await hashOf(style)],
  };
}

function scriptTags(sources: readonly string[]): string {
  const [main, ...shared] = scripts[entry] ?? [];
  const ahead = new Set([...shared, ...sources.flatMap((source) => scripts[source] ?? [])]);
  if (main) ahead.delete(main);
  return [
    `<script type="module" src="${base}/${main}"></script>`,
    ...[...ahead].map((file) => `<link rel="modulepreload" href="${base}/${file}">`),
  ].join('\n');
}

function noScript({ branding }: Bootstrap, t: Translate): string {
  return `<noscript><div class="no-script"><strong>${escapeHtml(t('app.noScript.title'))}</strong> ${escapeHtml(
    t('app.noScript.text'),
  )} <a class="together" dir="ltr" href="tel:${escapeHtml(branding.contact_phone)}">${escapeHtml(
    formatPhone(branding.contact_phone),
  )}</a></div></noscript>`;
}

/** Escapes what could end the element it stands in, or open another (product spec §2, Shell: the title). */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    '/': '&#x2F;',
  };
  return text.replaceAll(/[&<>"/]/g, (character) => entities[character] ?? character);
}

/** JSON that cannot end its script element. */
function toScriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

function pick(from: Readonly<Record<string, string>>, names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, from[name] ?? '']));
}

/** A source of the content security policy for this style sheet; one per account, so kept. */
function hashOf(style: string): Promise<string> {
  let hash = hashes.get(style);
  if (!hash) {
    hash = crypto.subtle.digest('SHA-256', new TextEncoder().encode(style)).then((digest) => {
      const bytes = String.fromCharCode(...new Uint8Array(digest));
      return `'sha256-${btoa(bytes)}'`;
    });
    hashes.set(style, hash);
  }
  return hash;
}
