import type { AccountId } from '../../platform/ids.ts';
import { codeOf, type Log, plainText } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Database } from '../../platform/postgres.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { readAddress } from '../../platform/visitor-address.ts';
import { networkOf } from './rules.ts';
import { type CountedSecurityEvent, recordSecurityEvents } from './store.ts';

/** What somebody tried against the site, or what was found unsafe about it. */
export const securityEventKinds = {
  'sign-in-failed': 'A sign-in by details matched nobody, or not the one meant.',
  'unbranded-sign-in-failed': 'The same at the bare host, which serves every office.',
  'qr-sign-in-failed': 'A ballot’s QR code was unknown, or the birth date did not fit it.',
  'captcha-refused': 'A CAPTCHA solution was missing, wrong or used before.',
  throttled: 'Somebody had to wait (status 429).',
  'push-refused': 'Scans were pushed with a wrong user name or password.',
  'console-refused':
    'Somebody tried a passkey or an invitation at an office’s console that is not known there.',
  'callback-refused': 'A provider’s call had a wrong signature or token.',
  spraying: 'One network tries to sign in as many different voters.',
  'requests-limited':
    'One voter’s saves, or one address, reached the daily limit of requests to confirm an address.',
  'sending-stopped':
    'An office’s visitors reached its daily limit of such requests: the others wait for the office.',
  'preferences-changed-in-mass': 'One network changed where many voters’ messages go.',
  'proxy-not-trusted': 'Forwarded requests come from an address that TRUST_PROXY does not list.',
} as const;

export type SecurityEventKind = keyof typeof securityEventKinds;

export interface SecurityEvent {
  readonly kind: SecurityEventKind;
  /** IP address; only a keyed hash of its network is kept. */
  readonly address: string;
  /** Left out where no office is known. */
  readonly accountId?: AccountId;
  /** What it was tried on, such as a route's pattern; never anything of a voter. */
  readonly target?: string;
}

/**
 * Records attempts in the audit and the log. Equal ones are counted and written together, so that a flood of them
 * costs a row a second and not one each.
 */
export interface SecurityEvents {
  /** Never throws and never waits. */
  record(event: SecurityEvent): void;
  /** Writes what was counted so far. */
  flush(): Promise<void>;
}

const flushMs = 1_000;
/** More different ones in a second than this are counted without their network. */
const mostDistinct = 500;

export function createSecurityEvents(
  database: Database,
  secrets: Secrets,
  log: Log,
  metrics: Metrics,
): SecurityEvents {
  // Each is there from the start, so that an alarm can rest on its growth.
  for (const kind of Object.keys(securityEventKinds)) metrics.securityEvents.inc({ kind }, 0);
  let counted = new Map<string, CountedSecurityEvent>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const count = (event: Omit<CountedSecurityEvent, 'count'>) => {
    const key = JSON.stringify([event.accountId, event.kind, event.target, event.network]);
    counted.set(key, { ...event, count: (counted.get(key)?.count ?? 0) + 1 });
  };
  const write = async () => {
    clearTimeout(timer);
    timer = undefined;
    const events = [...counted.values()];
    if (events.length === 0) return;
    counted = new Map();
    for (const { kind, network, accountId, target, count: times } of events) {
      log.write('security.event', {
        kind: plainText(kind),
        network: plainText(network),
        account: accountId,
        target: plainText(target),
        count: times,
      });
    }
    await recordSecurityEvents(database.unscoped, events).catch((error: unknown) =>
      // They are in the log; the audit's copy is lost with a database that is away.
      log.write('job.failed', { job: 'record-security-events', code: codeOf(error) }),
    );
  };
  const flush = () => {
    writing = writing.then(write);
    return writing;
  };
  return {
    flush,
    record({ kind, address, accountId, target = '' }) {
      metrics.securityEvents.inc({ kind });
      const network = networkOf(readAddress(address));
      const hash = secrets.sign('security-event-network', network).toString('base64url');
      count({
        kind: plainText(kind),
        accountId: accountId ?? null,
        target,
        network: counted.size < mostDistinct ? hash.slice(0, 16) : 'many',
      });
      timer ??= setTimeout(() => void flush(), flushMs).unref();
    },
  };
}
