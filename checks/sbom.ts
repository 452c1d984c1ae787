/** `npm run sbom`: what a release is made of, as CycloneDX, in sbom.cdx.json. The packages of tests and tools are left out. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const text = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--omit=dev'], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 ** 2,
});
const { components = [] } = JSON.parse(text) as { components?: unknown[] };
if (components.length < 10) throw new Error('The list of packages is not whole: run npm ci first.');
writeFileSync('sbom.cdx.json', text);
process.stdout.write(`sbom.cdx.json names ${components.length} packages.\n`);
