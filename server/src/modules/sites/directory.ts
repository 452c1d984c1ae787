import { createHash } from 'node:crypto';
import { isLanguage, type Language } from '@ballot-beacon/contract/languages';
import type { Config } from '../../platform/config.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { Database, Db } from '../../platform/postgres.ts';
import { type Account, findAccount } from '../accounts/index.ts';
import { createFlagEvaluator, type FlagEvaluator, readFlagDefinitions } from '../flags/index.ts';
import {
  type AccountTexts,
  type Catalog,
  layOver,
  type Override,
  readOverrides,
} from '../texts/index.ts';
import { type BrandingOfSite, brandAccount, brandNobody } from './branding.ts';
import { readHost } from './hosts.ts';
import {
  findAccountOfSubdomain,
  hasReleaseNotes,
  type NoBallotMessage,
  readContentVersion,
  readCountyInformation,
  readNoBallotMessages,
} from './store.ts';

/** The common part of all sites: branding, languages and texts. */
interface Look {
  readonly branding: BrandingOfSite;
  /** The languages that the account offers and the product has. */
  readonly languages: readonly Language[];
  readonly texts: AccountTexts;
  readonly flags: FlagEvaluator;
  /** Changes whenever any of the above changes; the same in every process. */
  readonly version: string;
}

/** An election office's site. `db` reaches only its own rows. */
export interface AccountSite extends Look {
  readonly kind: 'account';
  readonly account: Account;
  readonly db: Db;
  readonly noBallotMessages: Partial<Record<Language, NoBallotMessage>>;
}

/** The bare host without its own account; a voter's account is known only after sign-in. */
export interface UnbrandedSite extends Look {
  readonly kind: 'unbranded';
}

/** A subdomain that no account has. */
export interface UnservedSite extends Look {
  readonly kind: 'unserved';
}

export type Site = AccountSite | UnbrandedSite | UnservedSite;

export interface Sites {
  /** The site of a `Host` header; undefined for a foreign host. */
  ofHost(header: string | undefined): Promise<Site | undefined>;
  ofAccount(accountId: AccountId): Promise<AccountSite | undefined>;
  /** With what was changed a moment ago, for those who look at their own change. */
  ofAccountNow(accountId: AccountId): Promise<AccountSite | undefined>;
  readonly catalog: Catalog;
}

/** So long an office's content version counts as known: what somebody changes is seen that much later at most. */
const defaultKeptMs = 500;

/**
 * Finds the site that each host serves. An office's content is cached in memory and read
 * again when its content version changes, whichever process changed it.
 *
 * @param keptMs for how long a content version is not asked for again; 0 asks with each request
 */
export function createSites(
  database: Database,
  catalog: Catalog,
  config: Config,
  keptMs = defaultKeptMs,
): Sites {
  const look: Omit<Look, 'branding'> = {
    languages: catalog.languages,
    texts: layOver(catalog, []),
    flags: createFlagEvaluator({}),
    version: catalog.version,
  };
  const unbranded: UnbrandedSite = {
    ...look,
    kind: 'unbranded',
    branding: brandNobody(false, catalog.languages, config),
  };
  const unserved: UnservedSite = {
    ...look,
    kind: 'unserved',
    branding: brandNobody(true, catalog.languages, config),
  };

  // An account can get another subdomain or be removed, so a known number is checked against the account itself.
  const idOfSubdomain = new Map<string, AccountId>();
  const cached = new Map<AccountId, { version: number; site: Promise<AccountSite | undefined> }>();

  async function ofSubdomain(subdomain: string): Promise<AccountSite | undefined> {
    const known = idOfSubdomain.get(subdomain);
    const site = known === undefined ? undefined : await ofAccount(known);
    if (site?.account.subdomain === subdomain) return site;
    idOfSubdomain.delete(subdomain);
    const found = await findAccountOfSubdomain(database.unscoped, subdomain);
    if (!found) return undefined;
    idOfSubdomain.set(subdomain, found.account_id);
    return ofAccount(found.account_id);
  }

  const checks = new Map<
    AccountId,
    { readonly at: number; readonly site: Promise<AccountSite | undefined> }
  >();

  function ofAccount(accountId: AccountId): Promise<AccountSite | undefined> {
    const at = performance.now();
    const last = checks.get(accountId);
    if (last && at - last.at < keptMs) return last.site;
    const check = { at, site: readIfChanged(accountId) };
    checks.set(accountId, check);
    check.site.catch(() => {
      if (checks.get(accountId) === check) checks.delete(accountId);
    });
    return check.site;
  }

  async function readIfChanged(accountId: AccountId): Promise<AccountSite | undefined> {
    const db = database.forAccount(accountId);
    const version = await readContentVersion(db);
    if (version === undefined) return undefined;
    const known = cached.get(accountId);
    if (known && known.version >= version) return known.site;
    const site = readSite(db, accountId, version, catalog, config);
    const entry = { version, site };
    cached.set(accountId, entry);
    site.catch(() => {
      if (cached.get(accountId) === entry) cached.delete(accountId);
    });
    return site;
  }

  return {
    catalog,
    ofAccount,
    ofAccountNow: readIfChanged,
    async ofHost(header) {
      const asked = readHost(header, config.baseDomain);
      if (asked.kind === 'foreign') return undefined;
      if (asked.kind === 'bare') {
        if (config.defaultAccount === undefined) return unbranded;
        return (await ofSubdomain(config.defaultAccount)) ?? unbranded;
      }
      return (await ofSubdomain(asked.subdomain)) ?? unserved;
    },
  };
}

/** An office's page of county information as the text that voters' pages show. */
export const toOverride = ({ language, html }: { language: Language; html: string }): Override => ({
  language,
  section: 'main',
  key: 'profile.countyInfo.html',
  value: html,
});

async function readSite(
  db: Db,
  accountId: AccountId,
  version: number,
  catalog: Catalog,
  config: Config,
): Promise<AccountSite | undefined> {
  // One after the other by one connection: a process that starts meets all its offices at once.
  const { account, overrides, countyInformation, definitions, noBallotMessages, hasNotes } =
    await db.connection().execute(async (one) => ({
      account: await findAccount(one, accountId),
      overrides: await readOverrides(one),
      countyInformation: await readCountyInformation(one),
      definitions: await readFlagDefinitions(one),
      noBallotMessages: await readNoBallotMessages(one),
      hasNotes: await hasReleaseNotes(one),
    }));
  if (!account) return undefined;
  const offered = account.languages.filter(
    (language) => isLanguage(language) && catalog.languages.includes(language),
  );
  // Every other language falls back to English, so every account has it.
  const languages = offered.length > 0 ? offered : (['english'] as const);
  return {
    kind: 'account',
    account,
    db,
    languages,
    branding: { ...brandAccount(account, languages, config), has_release_notes: hasNotes },
    texts: layOver(catalog, [...overrides, ...countyInformation.map(toOverride)]),
    flags: createFlagEvaluator(definitions),
    noBallotMessages,
    version: createHash('sha256')
      .update(`${accountId}|${version}|${catalog.version}`)
      .digest('base64url')
      .slice(0, 16),
  };
}
