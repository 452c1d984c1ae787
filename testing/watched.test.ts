import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMetrics } from '../server/src/platform/metrics.ts';
import { ensurePackagedProgram } from './packaged-program.ts';

const deploy = path.resolve(import.meta.dirname, '../deploy');
const alerts = path.join(deploy, 'prometheus/alerts.yml');

let promtool: string;
let folder: string;
beforeAll(() => {
  promtool = ensurePackagedProgram('promtool');
  folder = mkdtempSync(path.join(tmpdir(), 'beacon-watched-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function ask(...parameters: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(promtool, parameters, {
    cwd: path.dirname(alerts),
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

/** Every expression of the dashboard, with the title of its panel. */
function readDashboard(): { title: string; expr: string }[] {
  const file = path.join(deploy, 'grafana/ballot-beacon.json');
  const { panels } = JSON.parse(readFileSync(file, 'utf8')) as {
    panels: { title: string; targets?: { expr: string }[] }[];
  };
  return panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
}

/** As Prometheus sees an expression: a rule that records it. */
function checkExpressions(expressions: readonly string[]) {
  const file = path.join(folder, 'rules.yml');
  const rules = expressions.map((expr, index) => ({ record: `panel_${index}`, expr }));
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
  return ask('check', 'rules', file);
}

test('Prometheus accepts the alerts, and each fires on what it is for and on nothing else', () => {
  expect(ask('check', 'rules', '--lint=all', '--lint-fatal', alerts)).toMatchObject({ status: 0 });
  expect(ask('test', 'rules', 'alerts.test.yml')).toMatchObject({ status: 0 });
});

test('Prometheus accepts every expression of the dashboard, and refuses a wrong one', () => {
  const expressions = readDashboard().map(({ expr }) => expr);
  expect(checkExpressions(expressions)).toMatchObject({ status: 0 });
  expect(checkExpressions([...expressions, 'sum(rate(beacon_logins_total)']).status).toBe(1);
});

test('alerts and dashboard read no figure that the product does not have', async () => {
  const metrics = await createMetrics().registry.getMetricsAsJSON();
  const known = new Set(
    metrics.flatMap(({ name }) => [name, `${name}_count`, `${name}_bucket`, `${name}_sum`]),
  );
  const text = readFileSync(alerts, 'utf8') + readDashboard().map(({ expr }) => expr);
  const used = new Set(text.match(/\b(beacon|nodejs|process)_[a-z0-9_]+/g));
  expect(used.size).toBeGreaterThan(10);
  expect([...used].filter((name) => !known.has(name))).toEqual([]);
});
