import { createPublicKey } from 'node:crypto';
import type { Finding } from './findings.ts';

/** What node:dns offers; another in tests and for another server. */
export interface TxtResolver {
  resolveTxt(name: string): Promise<string[][]>;
}

export interface MailIdentity {
  /** Domain of the sender's address. */
  readonly domain: string;
  readonly dkim:
    | { readonly domain: string; readonly selector: string; readonly privateKey: string }
    | undefined;
}

/** Whether receivers can recognize forged mail in our name: SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489). */
export async function checkMailDns(
  resolver: TxtResolver,
  { domain, dkim }: MailIdentity,
): Promise<Finding[]> {
  const findings = await Promise.all([
    checkSpf(resolver, domain),
    checkDkim(resolver, dkim),
    checkDmarc(resolver, domain),
  ]);
  return findings.filter((finding) => finding !== undefined);
}

async function checkSpf(resolver: TxtResolver, domain: string): Promise<Finding | undefined> {
  const id = 'dns.spf';
  const records = await readTxt(resolver, domain);
  if (records === undefined) return unanswered(id, domain);
  const spf = records.filter((record) => /^v=spf1( |$)/i.test(record));
  if (spf.length !== 1)
    return {
      id,
      problem: `${domain} has ${spf.length === 0 ? 'no SPF record' : 'more than one SPF record'}: receivers do not know which servers send for it.`,
      fix: `Publish one TXT record at ${domain}, such as "v=spf1 include:YOUR-MAIL-PROVIDER -all".`,
    };
  if (/(^| )([-~]all|redirect=\S+)( |$)/i.test(spf[0] ?? '')) return undefined;
  return {
    id,
    problem: `The SPF record of ${domain} lets any server send for it.`,
    fix: 'End it with -all (or ~all).',
  };
}

async function checkDkim(
  resolver: TxtResolver,
  dkim: MailIdentity['dkim'],
): Promise<Finding | undefined> {
  const id = 'dns.dkim';
  if (!dkim)
    return {
      id,
      problem: 'Mail is not signed (DKIM).',
      fix: 'Set DKIM_DOMAIN, DKIM_SELECTOR and DKIM_PRIVATE_KEY, and publish the public key.',
    };
  const name = `${dkim.selector}._domainkey.${dkim.domain}`;
  const records = await readTxt(resolver, name);
  if (records === undefined) return unanswered(id, name);
  const publicKey = /(?:^|;)\s*p=([^;]*)/.exec(records[0] ?? '')?.[1]?.replaceAll(/\s/g, '');
  if (!publicKey)
    return {
      id,
      problem: `There is no DKIM key at ${name}: receivers cannot check our signature.`,
      fix: `Publish a TXT record at ${name}: "v=DKIM1; k=rsa; p=PUBLIC-KEY".`,
    };
  if (publicKey === readPublicKey(dkim.privateKey)) return undefined;
  return {
    id,
    problem: `The DKIM key at ${name} is not that of DKIM_PRIVATE_KEY: every signature fails.`,
    fix: 'Publish the public half of DKIM_PRIVATE_KEY there.',
  };
}

function readPublicKey(privateKey: string): string | undefined {
  try {
    return createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
  } catch {
    return undefined;
  }
}

async function checkDmarc(resolver: TxtResolver, domain: string): Promise<Finding | undefined> {
  const id = 'dns.dmarc';
  // A subdomain without a record of its own goes by its parent's.
  for (let at = domain; at.includes('.'); at = at.slice(at.indexOf('.') + 1)) {
    const records = await readTxt(resolver, `_dmarc.${at}`);
    if (records === undefined) return unanswered(id, `_dmarc.${at}`);
    const dmarc = records.find((record) => /^v=DMARC1\b/i.test(record));
    if (dmarc === undefined) continue;
    const tag = at === domain ? undefined : /;\s*sp=(\w+)/i.exec(dmarc)?.[1];
    const policy = tag ?? /;\s*p=(\w+)/i.exec(dmarc)?.[1];
    if (/^(quarantine|reject)$/i.test(policy ?? '')) return undefined;
    return {
      id,
      problem: `The DMARC record at _dmarc.${at} lets forged mail through (p=${policy ?? 'missing'}).`,
      fix: 'Set p=quarantine or p=reject there.',
    };
  }
  return {
    id,
    problem: `${domain} has no DMARC record: anybody can send mail in its name.`,
    fix: `Publish a TXT record at _dmarc.${domain}, such as "v=DMARC1; p=reject; rua=mailto:postmaster@${domain}".`,
  };
}

/** Empty when the name has none; undefined when no server answered. */
async function readTxt(resolver: TxtResolver, name: string): Promise<string[] | undefined> {
  try {
    return (await resolver.resolveTxt(name)).map((chunks) => chunks.join(''));
  } catch (error) {
    return /^(ENODATA|ENOTFOUND)$/.test((error as NodeJS.ErrnoException).code ?? '')
      ? []
      : undefined;
  }
}

function unanswered(id: string, name: string): Finding {
  return {
    id,
    problem: `DNS did not answer for ${name}, so it could not be checked.`,
    fix: 'Check the DNS of this machine and run this again.',
  };
}
