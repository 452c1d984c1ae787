import { type Database, openDatabase } from '../../platform/postgres.ts';
import type { Finding } from './findings.ts';
import { type LoginRights, readLoginRights } from './store.ts';

interface Login {
  readonly id: string;
  readonly setting: string;
  /** Begins a sentence. */
  readonly user: string;
  /** What it should be a member of, by name. */
  readonly roles: readonly string[];
  urlIn(database: Database): string;
}

const logins: readonly Login[] = [
  {
    id: 'database.api-login',
    setting: 'DATABASE_API_URL',
    user: 'The part of the API that answers voters',
    roles: ['beacon_api'],
    urlIn: ({ apiUrl }) => apiUrl,
  },
  {
    id: 'database.worker-login',
    setting: 'DATABASE_WORKER_URL',
    user: 'The worker',
    roles: ['beacon_worker'],
    urlIn: ({ workerUrl }) => workerUrl,
  },
  {
    id: 'database.intake-login',
    setting: 'DATABASE_INTAKE_URL',
    user: "The part of the API that takes providers' calls and pushed scans",
    roles: ['beacon_intake'],
    urlIn: ({ intakeUrl }) => intakeUrl,
  },
  {
    id: 'database.office-login',
    setting: 'DATABASE_OFFICE_URL',
    user: 'The command line',
    roles: ['beacon_office', 'beacon_operator'],
    urlIn: ({ officeUrl }) => officeUrl,
  },
];

/** Logins that do not work, or can do more than they need, and connections that others can listen to. */
export async function checkLogins(database: Database): Promise<Finding[]> {
  const checked = await Promise.all(
    logins.map(async (login) => {
      const url = login.urlIn(database);
      return { login, rights: await readRightsOf(url), isUnchecked: acceptsAnyCertificate(url) };
    }),
  );
  const findings = checked.flatMap(({ login, rights }) => judge(login, rights) ?? []);
  const plain = checked.filter(({ rights }) => rights?.isPlain === true);
  if (plain.length > 0)
    findings.push({
      id: 'database.tls',
      problem: `Connections to the database go over the network without encryption (${plain.map(({ login }) => login.setting).join(', ')}).`,
      fix: 'End each address of the database with ?sslmode=verify-full.',
    });
  const unchecked = checked.filter(({ isUnchecked }) => isUnchecked);
  if (unchecked.length > 0)
    findings.push({
      id: 'database.tls',
      problem: `Connections to the database accept any certificate, also that of somebody in between (${unchecked.map(({ login }) => login.setting).join(', ')}).`,
      fix: 'End each address of the database with ?sslmode=verify-full.',
    });
  return findings;
}

const ownMachine = /^(|localhost|127(\.\d+){3}|\[::1\])$/;

/** Encrypted, but nobody checks which server answers. */
function acceptsAnyCertificate(address: string): boolean {
  const url = URL.parse(address);
  if (!url || ownMachine.test(url.hostname)) return false;
  const mode = url.searchParams.get('sslmode');
  const isAsInLibpq = url.searchParams.get('uselibpqcompat') === 'true';
  return mode === 'no-verify' || (isAsInLibpq && (mode === 'require' || mode === 'prefer'));
}

function judge(login: Login, rights: LoginRights | undefined): Finding | undefined {
  const { id, setting, user, roles } = login;
  const problem = describeProblem();
  const fix = `Set ${setting} to a login that is a member of ${roles.join(' and ')} and nothing else (docs/operations/database.md, Database logins).`;
  return problem === undefined ? undefined : { id, problem, fix };

  function describeProblem(): string | undefined {
    if (rights === undefined) return `The database login of ${setting} cannot be used.`;
    const uses = `${user} uses the database login ${rights.login}`;
    if (rights.isAllPowerful || rights.isOwner)
      return `${uses}, which owns the tables and can change everything.`;
    if (rights.roles.join() === roles.join()) return undefined;
    return `${uses}, which is a member of ${rights.roles.join(' and ') || 'no role of this product'}.`;
  }
}

/** Undefined when the login does not work. */
async function readRightsOf(url: string): Promise<LoginRights | undefined> {
  const database = openDatabase(url, { connections: 2 });
  try {
    return await readLoginRights(database.system);
  } catch {
    return undefined;
  } finally {
    await database.close();
  }
}
