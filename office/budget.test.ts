import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

vi.setConfig({ testTimeout: 60_000 });

/** In kB (1000 bytes) of brotli. */
const firstLoadBudget = 250;
const dist = mkdtempSync(path.join(tmpdir(), 'beacon-console-'));

beforeAll(() => {
  execFileSync('npm', ['run', 'build', '--workspace', 'office'], {
    cwd: path.dirname(import.meta.dirname),
    env: { ...process.env, OFFICE_DIST: dist, NODE_ENV: 'production' },
    stdio: 'pipe',
  });
}, 120_000);
const read = (file: string) => readFileSync(path.join(dist, file), 'utf8');
afterAll(() => rmSync(dist, { recursive: true, force: true }));

test('the console loads in at most 250 kB, with every screen', () => {
  const files = globSync('**/*.br', { cwd: dist });
  expect(files.length).toBeGreaterThan(2);
  const bytes = files.reduce((sum, file) => sum + readFileSync(path.join(dist, file)).length, 0);
  expect(bytes / 1000).toBeLessThan(firstLoadBudget);
});

test('the editor of texts is loaded only where somebody writes', () => {
  const html = readFileSync(path.join(dist, 'client/index.html'), 'utf8');
  const scripts = globSync('client/assets/*.js', { cwd: dist });
  const editors = scripts.filter((file) => /ProseMirror/.test(read(file)));
  const first = scripts.filter((file) => html.includes(path.basename(file)));
  expect(first).toHaveLength(1);
  expect(editors.length).toBeGreaterThan(0);
  expect(editors).not.toContain(first[0]);
});

test('its document has nothing inline, which the content security policy refuses', () => {
  const html = readFileSync(path.join(dist, 'client/index.html'), 'utf8');
  expect(html).toMatch(/<script type="module"[^>]* src="\/office\/assets\/[\w-]+\.js"><\/script>/);
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
});
