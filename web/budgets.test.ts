import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import type { Bootstrap } from '@ballot-beacon/contract/bootstrap';
import { pickSignInTexts } from '@ballot-beacon/contract/sign-in-texts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

// Each renders or packs the page as it is served, which takes seconds where other tests keep the machine busy.
vi.setConfig({ testTimeout: 60_000 });

/** In kB (1000 bytes) of brotli (ARCHITECTURE.md, Budgets). */
const budgets = { loginScript: 85, loginFirstLoad: 120, dashboardScript: 125 };

const web = path.dirname(fileURLToPath(import.meta.url));
const dist = mkdtempSync(path.join(tmpdir(), 'beacon-budgets-'));
const client = path.join(dist, 'client');

interface Chunk {
  readonly file: string;
  readonly name?: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
}
type Manifest = Readonly<Record<string, Chunk>>;

beforeAll(() => {
  execFileSync('npm', ['run', 'build', '--workspace', 'web'], {
    cwd: path.dirname(web),
    env: { ...process.env, WEB_DIST: dist, NODE_ENV: 'production' },
    stdio: 'pipe',
  });
}, 120_000);

afterAll(() => rmSync(dist, { recursive: true, force: true }));

describe('the built page keeps its budgets:', () => {
  // What a browser really fetches by itself is weighed in e2e/weight.test.ts.
  it('the script of the login, with what it fetches before it is used', () => {
    expect(kilobytesOf(loginScripts())).toBeLessThan(budgets.loginScript);
  });

  it('the whole first load of the login, with one language and what its first use fetches', async () => {
    const document = brotliKilobytes(Buffer.from((await renderLogin('english')).html));
    const scripts = kilobytesOf([...loginScripts(), ...scriptsOf('submission')]);
    const texts = brotliKilobytes(Buffer.from(JSON.stringify(textsOf('english'))));
    expect(document + scripts + texts).toBeLessThan(budgets.loginFirstLoad);
  });

  it('the script of the dashboard, with all it fetches by itself', () => {
    const scripts = [
      ...scriptsOf('src/app/entry-browser.tsx'),
      ...[
        'src/features/dashboard/index.tsx',
        'src/features/dashboard/kept-page.ts',
        'src/features/preferences/index.tsx',
        'src/shell/flag-feed.ts',
        'src/shell/members.tsx',
      ].flatMap(scriptsOf),
    ];
    expect(kilobytesOf(scripts)).toBeLessThan(budgets.dashboardScript);
  });

  it('no script carries the texts of any language', () => {
    const spanish = textsOf('spanish')['login.hero.text'] ?? '';
    const english = textsOf('english')['login.hero.text'] ?? '';
    expect(spanish.length * english.length).toBeGreaterThan(0);
    for (const script of allScripts()) {
      expect(script).not.toContain(spanish);
      expect(script).not.toContain(english);
    }
  });

  it('a page carries the texts of its own language only', async () => {
    const { html } = await renderLogin('spanish');
    expect(html).toContain(textsOf('spanish')['login.form.title']);
    expect(html).not.toContain(textsOf('english')['login.form.title']);
  });

  it('the sign-in page comes with all that its scripts say, and little more', () => {
    const english = textsOf('english');
    const ofSignIn = Object.keys(pickSignInTexts(english));
    const later = ['submission', 'src/features/login/recaptcha-box.tsx'].flatMap(scriptsOf);
    const scripts = [...loginScripts(), ...later]
      .map((file) => readFileSync(path.join(client, file), 'utf8'))
      .join('\n');
    const said = Object.keys(english).filter((key) =>
      scripts.includes(key.replace(/_[a-z]+$/, '')),
    );
    // The name of a time that is wrong, which stands in the contract of all calls.
    const elsewhere = ['preferences.hours.invalid'];
    expect(ofSignIn).toEqual(
      expect.arrayContaining(said.filter((key) => !elsewhere.includes(key))),
    );
    const groupsOf = (keys: readonly string[]) => new Set(keys.map((key) => key.split('.')[0]));
    const isName = (key: string) => /^\w+\.title$/.test(key);
    const whole = groupsOf(ofSignIn.filter((key) => !isName(key)));
    expect([...groupsOf(said)]).toEqual(expect.arrayContaining([...whole]));
    expect(JSON.stringify(pickSignInTexts(english)).length).toBeLessThan(
      JSON.stringify(english).length / 3,
    );
  });

  it('the sign-in page fits into what a server sends before it waits for an answer', async () => {
    for (const language of ['english', 'spanish'] as const) {
      const { html } = await renderLogin(language);
      // Ten packets, some of which are headers and certificates of the connection.
      expect(brotliKilobytes(Buffer.from(html)), language).toBeLessThan(13.5);
    }
  });

  it('nothing comes from elsewhere, and no font is downloaded', async () => {
    const { html } = await renderLogin('english');
    const fetched = html.matchAll(/\b(?:src|href|url)\s*[=(]\s*["']?((?:https?:)?\/\/[^"')\s]+)/g);
    expect([...fetched].map((match) => match[1])).toEqual([]);
    expect(html).not.toContain('@font-face');
  });

  it('no inline script and no style attribute stands in the page, and its style sheet has its hash', async () => {
    const { html, styleHashes } = await renderLogin('english');
    expect(html.match(/<script(?![^>]*(?:\bsrc=|application\/json))[^>]*>/g)).toBeNull();
    expect(html.match(/\sstyle="/g)).toBeNull();
    expect(html.match(/<style>/g)).toHaveLength(styleHashes.length);
  });

  it('a page carries the style of its own screen, and none of a screen that comes later', async () => {
    const { html } = await renderLogin('english');
    const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '';
    expect(style).toContain('.login-page');
    const dashboard = readdirSync(path.join(client, 'assets')).find((file) =>
      /^dashboard-.*[.]css$/.test(file),
    );
    const later = readFileSync(path.join(client, 'assets', dashboard ?? ''), 'utf8').trim();
    expect(style).not.toContain(later);
    expect(html).not.toContain('rel="stylesheet"');
  });
});

function loginScripts(): string[] {
  return [
    'src/app/entry-browser.tsx',
    'src/shell/captcha-work.ts',
    'src/shell/flag-feed.ts',
  ].flatMap(scriptsOf);
}

/** @param source a source's path, or the name of a chunk that vite.config.ts gives. */
function scriptsOf(source: string): string[] {
  const manifest = JSON.parse(
    readFileSync(path.join(client, '.vite/manifest.json'), 'utf8'),
  ) as Manifest;
  const start = Object.keys(manifest).find(
    (key) => key === source || (key.startsWith('_') && manifest[key]?.name === source),
  );
  if (!start) throw new Error(`${source} is not in the build`);
  const files = new Set<string>();
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (!chunk || files.has(chunk.file)) return;
    files.add(chunk.file);
    chunk.imports?.forEach(visit);
  };
  visit(start);
  return [...files];
}

function kilobytesOf(files: readonly string[]): number {
  return [...new Set(files)]
    .map((file) => readFileSync(path.join(client, `${file}.br`)).length / 1000)
    .reduce((sum, size) => sum + size, 0);
}

const brotliKilobytes = (bytes: Buffer) => brotliCompressSync(bytes).length / 1000;

function allScripts(): string[] {
  return readdirSync(path.join(client, 'assets'))
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(path.join(client, 'assets', file), 'utf8'));
}

function textsOf(language: string): Record<string, string> {
  const file = path.join(web, '../locales', language, 'main.json');
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
}

async function renderLogin(language: 'english' | 'spanish') {
  const { render } = (await import(
    pathToFileURL(path.join(dist, 'server/entry-server.js')).href
  )) as {
    render(input: { bootstrap: Bootstrap; url: string }): Promise<{
      html: string;
      styleHashes: readonly string[];
    }>;
  };
  return render({ bootstrap: bootstrapOf(language), url: '/voter' });
}

function bootstrapOf(language: 'english' | 'spanish'): Bootstrap {
  return {
    branding: {
      account_id: 1,
      name: 'Harbor County Supervisor of Elections',
      county: 'Harbor County',
      state: 'FL',
      logo_url: null,
      bg_url: '/img/white.gif',
      url: null,
      contact_phone: '+18505550100',
      contact_email: 'ballots@harbor-county.example',
      languages: [{ language: 'english' }, { language: 'spanish' }],
      from_voice: null,
      has_subdomain: true,
      is_voter_authenticated: false,
      is_ballot_status_dates_visible: true,
      time_zone: 'America/New_York',
      accent_color: { light: '#0f5e7c', dark: '#7cc7e6' },
      short_code: '41575',
      captcha: { kind: 'altcha', site_key: null },
      locator_url: 'https://locator.example',
      availability_url: 'https://availability.example',
    },
    language,
    language_file: {
      language,
      locale: language === 'english' ? 'en_US' : 'es_US',
      section: 'main',
      is_voter_authenticated: false,
      is_reviewed: true,
      texts: pickSignInTexts(textsOf(language)),
    },
    has_more_texts: true,
    flags: {},
    critical: null,
  };
}
