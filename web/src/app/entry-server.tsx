import { entry, scripts, sheets } from 'virtual:page-assets';
import { type Bootstrap, bootstrapElementId } from '@ballot-beacon/contract/bootstrap';
import { defaultLanguage, isLanguage, languages } from '@ballot-beacon/contract/languages';
import { pageColors } from '@ballot-beacon/contract/page-colors';
import { base, findScreen } from '@ballot-beacon/contract/pages';
import { createTranslate, type Translate } from '@ballot-beacon/contract/translate';
import { renderToString } from 'react-dom/server';
import { formatPhone, telOf } from '../shell/support-notice.tsx';
import { App } from './app.tsx';
import { earlySourcesOf, lazySourcesOf } from './page-sources.ts';
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
  /** For the policy's style-src: the hashes of the screen's style and of the office's colors and picture. */
  readonly styleHashes: readonly string[];
  /** Parts of `html` that are in many visitors' pages, in their order. */
  readonly shared: readonly string[];
}

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
  if (redirect) return { html: '', title, status: 302, redirect, styleHashes: [], shared: [] };

  const isSignedIn = critical !== null;
  await Promise.all(lazyPartsOf(screen, isSignedIn).map(({ preload }) => preload()));
  const sent = form && pick(form, ['firstname', 'lastname', 'zipcode', 'birthdate']);
  const sources = lazySourcesOf(screen, isSignedIn);
  const { links, ...look } = lookOf(sources);
  const theme = themeOf(branding);
  const texts = textsJsonOf(bootstrap.language_file.texts);
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
${scriptTags(sources, isSignedIn ? [] : earlySourcesOf(screen, branding.captcha.kind))}
<style>${look.style}</style>
<style>${theme}</style>${links}
</head>
<body>
${noScript(bootstrap, t)}
<div id="root">${root}</div>
<script type="application/json" id="${bootstrapElementId}">${toScriptJson({ sent, bootstrap }, texts)}</script>
</body>
</html>
`;
  return {
    html,
    title,
    status: screen === 'not-found' ? 404 : 200,
    styleHashes: await Promise.all([look.hash, hashOf(theme)]),
    shared: [look.style, texts],
  };
}

/** @param early whose scripts run as soon as they arrive, whatever the others do */
function scriptTags(sources: readonly string[], early: readonly string[]): string {
  const [main, ...shared] = scripts[entry] ?? [];
  const ahead = new Set([...shared, ...sources.flatMap((source) => scripts[source] ?? [])]);
  if (main) ahead.delete(main);
  return [
    ...early
      .flatMap((source) => scripts[source] ?? [])
      .map((file) => `<script type="module" async src="${base}/${file}"></script>`),
    `<script type="module" src="${base}/${main}"></script>`,
    ...[...ahead].map((file) => `<link rel="modulepreload" href="${base}/${file}">`),
  ].join('\n');
}

function noScript({ branding }: Bootstrap, t: Translate): string {
  return `<noscript><div class="no-script"><strong>${escapeHtml(t('app.noScript.title'))}</strong> ${escapeHtml(
    t('app.noScript.text'),
  )} <a class="together" dir="ltr" href="${telOf(branding.contact_phone)}">${escapeHtml(
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

/**
 * JSON that cannot end its script element.
 *
 * @param texts of the language file, which come last: they are most of it, and the same for many visitors
 */
function toScriptJson({ sent, bootstrap }: PageData, texts: string): string {
  const { language_file: file, ...others } = bootstrap;
  const { texts: _, ...aboutTexts } = file;
  const json = escapeJson({ sent, bootstrap: { ...others, language_file: aboutTexts } });
  return `${json.slice(0, -'}}}'.length)},"texts":${texts}}}}`;
}

interface PageData {
  readonly bootstrap: Bootstrap;
  readonly sent: Readonly<Record<string, string>> | undefined;
}

function escapeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

const textsJson = new WeakMap<object, string>();

/** An office's texts are one object for as long as nothing in them changes. */
function textsJsonOf(texts: Bootstrap['language_file']['texts']): string {
  const json = textsJson.get(texts) ?? escapeJson(texts);
  textsJson.set(texts, json);
  return json;
}

function pick(from: Readonly<Record<string, string>>, names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, from[name] ?? '']));
}

interface Look {
  readonly style: string;
  /** A source of the content security policy. */
  readonly hash: Promise<string>;
  /** The sheets that a screen's script would otherwise fetch and wait for, although the page carries them. */
  readonly links: string;
}

const looks = new Map<string, Look>();

/**
 * What a screen needs to look right, and nothing of other screens: their scripts bring their own sheets.
 *
 * @returns one for each screen, the same for all offices, so kept
 */
function lookOf(sources: readonly string[]): Look {
  const key = sources.join('\n');
  const known = looks.get(key);
  if (known) return known;
  const sheetsOf = (source: string) => sheets[source] ?? [];
  const all = new Map([entry, ...sources].flatMap(sheetsOf).map(({ file, text }) => [file, text]));
  const style = [...all.values()].join('');
  for (const { file } of sheetsOf(entry)) all.delete(file);
  const links = [...all.keys()]
    .map((file) => `\n<link rel="stylesheet" href="${base}/${file}" disabled>`)
    .join('');
  const made = { style, hash: hashOf(style), links };
  looks.set(key, made);
  return made;
}

async function hashOf(style: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style));
  const bytes = String.fromCharCode(...new Uint8Array(digest));
  return `'sha256-${btoa(bytes)}'`;
}
