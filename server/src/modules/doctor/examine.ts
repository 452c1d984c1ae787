import { stat } from 'node:fs/promises';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/postgres.ts';
import { loadFileKeys, loadTokenKeys } from '../../platform/secrets.ts';
import { listAccounts } from '../accounts/index.ts';
import { type ChannelSettings, mailDomainOf, originOf } from '../notifications/index.ts';
import { countWithoutKey, createFileKeys } from '../uploads/index.ts';
import { createTokenKeys } from '../voters/index.ts';
import { checkDisk } from './disk.ts';
import { checkMailDns, type TxtResolver } from './dns.ts';
import type { Finding } from './findings.ts';
import { checkLogins } from './logins.ts';
import { findMissingSettings, findUnsafeSettings } from './settings.ts';
import {
  countStoredTokens,
  type RecentAttack,
  readRecentAttacks,
  readServerFacts,
} from './store.ts';
import { checkCertificate } from './tls.ts';

export interface Examination {
  readonly config: Config;
  readonly channels: ChannelSettings;
  /** Undefined with `databaseProblem`: it cannot be opened. */
  readonly database: Database | undefined;
  readonly databaseProblem?: string;
  readonly resolver: TxtResolver;
  /** Milliseconds by which this machine's clock is ahead of a time server's; undefined: none answered. */
  readonly askClockOffset: () => Promise<number | undefined>;
  readonly now: Date;
  /** PEM of an authority of the office's own, for the site's certificate. */
  readonly authorities?: string | undefined;
  /** A file that the backup touches whenever it succeeded. */
  readonly backupStamp?: string | undefined;
  /** A setting has Node check no certificate of any server that it calls. */
  readonly acceptsAnyCertificate?: boolean;
}

const uncheckedCertificates: Finding = {
  id: 'tls.checks',
  problem:
    'NODE_TLS_REJECT_UNAUTHORIZED is 0: somebody in between can be the mail server, the text provider or the identity provider.',
  fix: 'Remove it. For an authority of your own set NODE_EXTRA_CA_CERTS to its certificate.',
};

const mostClockMs = 2_000;
const oldestBackupMs = 26 * 3_600_000;
/** Those of `npm start`. */
const demoCounties = new Map([
  ['demo', 'Harbor County'],
  ['lake', 'Silver Lake County'],
]);

/** Everything that is still unsafe about an installation, and nothing else. Changes nothing. */
export async function examineInstallation(parts: Examination): Promise<Finding[]> {
  const { config, channels, resolver } = parts;
  const findings = await Promise.all([
    findMissingSettings(config, channels),
    findUnsafeSettings(config, channels),
    checkDatabase(parts),
    parts.acceptsAnyCertificate ? uncheckedCertificates : [],
    checkDemo(parts),
    checkAttacks(parts),
    checkTokens(parts),
    checkUploads(parts),
    channels.SMTP_URL === undefined
      ? []
      : checkMailDns(resolver, {
          domain: mailDomainOf(config, channels),
          dkim: readDkim(channels),
        }),
    checkCertificates(parts),
    checkClock(parts.askClockOffset),
    checkDisk(config.dataDirectory),
    checkBackup(parts),
  ]);
  return findings.flat().filter((finding) => finding !== undefined);
}

function readDkim({ DKIM_DOMAIN, DKIM_SELECTOR, DKIM_PRIVATE_KEY }: ChannelSettings) {
  return DKIM_DOMAIN && DKIM_SELECTOR && DKIM_PRIVATE_KEY
    ? { domain: DKIM_DOMAIN, selector: DKIM_SELECTOR, privateKey: DKIM_PRIVATE_KEY }
    : undefined;
}

async function checkDatabase({ database, databaseProblem, now }: Examination): Promise<Finding[]> {
  if (database === undefined)
    return [
      {
        id: 'database.ready',
        problem: databaseProblem ?? 'The database cannot be used.',
        fix: 'Then run this again: it could not look into the database.',
      },
    ];
  const [findings, facts] = await Promise.all([
    checkLogins(database),
    readServerFacts(database.system),
  ]);
  if (facts === undefined) return findings;
  if (Math.abs(facts.now.getTime() - now.getTime()) > mostClockMs * 5)
    findings.push({
      id: 'time.database',
      problem: 'The clocks of this machine and of the database differ by more than 10 seconds.',
      fix: 'Let both set their clocks by a time server.',
    });
  return findings;
}

async function checkDemo({ database }: Examination): Promise<Finding | undefined> {
  if (database === undefined) return undefined;
  const demo = (await listAccounts(database.system)).filter(({ subdomain, name }) =>
    name.startsWith(demoCounties.get(subdomain) ?? '\0'),
  );
  if (demo.length === 0) return undefined;
  return {
    id: 'database.demo',
    problem: `The database has invented counties: ${demo.map(({ subdomain }) => subdomain).join(', ')}. Anybody can sign in as their voters.`,
    fix: 'Start production with a new, empty database.',
  };
}

const attackProblems: Record<RecentAttack['kind'], string> = {
  spraying: 'In the last day one network tried to sign in as many different voters',
  'preferences-changed-in-mass':
    'In the last day one network changed where many voters’ messages go',
  'sending-stopped': 'Requests to confirm an address wait above the daily limit',
};

async function checkAttacks({ database, now }: Examination): Promise<Finding[]> {
  if (database === undefined) return [];
  const attacks = await readRecentAttacks(database.system, now);
  return attacks.map(({ kind, subdomain }) => {
    const of = subdomain === '' ? '--site' : `--account ${subdomain}`;
    return {
      id: `attack.${kind}`,
      problem: `${attackProblems[kind]} (${subdomain || 'the bare host'}).`,
      fix:
        kind === 'sending-stopped'
          ? `Look at them: beacon sending show ${of}. Then send or discard them.`
          : `Look at the record: beacon audit ${of}. Block the network at your proxy if nobody of yours is behind it.`,
    };
  });
}

async function checkTokens({ database, config }: Examination): Promise<Finding[]> {
  if (database === undefined) return [];
  const stored = await countStoredTokens(database.system);
  const { ids } = createTokenKeys(loadTokenKeys(config));
  const count = (isCounted: (keyId: string | null) => boolean) =>
    stored.reduce((sum, { keyId, voters }) => sum + (isCounted(keyId) ? voters : 0), 0);
  const lost = count((keyId) => keyId !== null && !ids.includes(keyId));
  const former = count((keyId) => keyId === null);
  const findings: Finding[] = [];
  if (lost > 0)
    findings.push({
      id: 'tokens.key',
      problem: `The security tokens of ${lost} voters do not work: BEACON_TOKEN_KEYS does not have the key they were stored with.`,
      fix: 'Add that key, or set a new one and import these voters with their tokens again (docs/operations/database.md, Security tokens).',
    });
  if (former > 0)
    findings.push({
      id: 'tokens.former-hash',
      problem: `The security tokens of ${former} voters are stored as earlier versions did, and are quick to guess for a thief of the database.`,
      fix: 'Set BEACON_TOKEN_KEYS and import these voters with their tokens again.',
    });
  return findings;
}

async function checkUploads({ database, config }: Examination): Promise<Finding | undefined> {
  if (database === undefined) return undefined;
  const { ids } = createFileKeys(loadFileKeys(config));
  const lost = await countWithoutKey(database.system, ids);
  if (lost === 0) return undefined;
  return {
    id: 'uploads.key',
    problem: `${lost} uploaded files cannot be opened: BEACON_FILE_KEYS does not have the key they were sealed with.`,
    fix: 'Add that key, or have people upload these files again (docs/operations.md, Uploaded files).',
  };
}

/** The first certificate with which voters cannot go to the site, or to their office. */
async function checkCertificates(parts: Examination): Promise<Finding | undefined> {
  const { config, database, now, authorities } = parts;
  const { publicUrl } = config;
  if (publicUrl?.protocol !== 'https:') return undefined;
  const accounts = database === undefined ? [] : await listAccounts(database.system);
  const offices = accounts.map(({ subdomain }) => new URL(originOf(config, subdomain)).hostname);
  const names = [...new Set([publicUrl.hostname, ...offices])];
  const findings = await Promise.all(
    names.map((name) => checkCertificate(publicUrl, name, now, authorities)),
  );
  return findings.find((finding) => finding !== undefined);
}

async function checkClock(ask: Examination['askClockOffset']): Promise<Finding | undefined> {
  const offset = await ask();
  const id = 'time.clock';
  const fix = 'Let this machine set its clock by a time server (for example with chrony).';
  if (offset === undefined)
    return { id, problem: 'No time server answered, so the clock could not be checked.', fix };
  if (Math.abs(offset) <= mostClockMs) return undefined;
  return { id, problem: `The clock is off by ${(offset / 1000).toFixed(1)} seconds.`, fix };
}

async function checkBackup({
  database,
  backupStamp,
  now,
}: Examination): Promise<Finding | undefined> {
  const file =
    backupStamp === undefined ? undefined : await stat(backupStamp).catch(() => undefined);
  if (file && now.getTime() - file.mtimeMs < oldestBackupMs) return undefined;
  if (backupStamp === undefined && database !== undefined) {
    if ((await readServerFacts(database.system))?.isArchiving === true) return undefined;
  }
  return {
    id: 'backup.age',
    problem:
      backupStamp === undefined
        ? 'Nothing shows that the database is backed up.'
        : `The last backup is more than a day old, or never succeeded (${backupStamp}).`,
    fix: 'Back it up every day, and let the backup touch the file that BACKUP_STAMP names when it succeeded.',
  };
}
