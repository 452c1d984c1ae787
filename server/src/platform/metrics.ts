import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What `/metrics` shows. Labels are routes and codes: never a voter, never an address. */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: Histogram<'method' | 'route' | 'status'>;
  /** Requests answered 503 because there were too many. */
  readonly shed: Counter;
  /** Pages rendered on the server; a page that many visitors share is rendered once. */
  readonly pageRenders: Counter;
  readonly logins: Counter<'outcome'>;
  /** Forwarded requests from an address that TRUST_PROXY does not list: above 0, the setting is wrong. */
  readonly untrustedProxies: Counter;
  /** Attempts against the site, by kind of security event. */
  readonly securityEvents: Counter<'kind'>;
  readonly messages: Counter<'channel' | 'outcome'>;
  readonly feedAge: Gauge<'account' | 'format'>;
  readonly feedExpected: Gauge<'account' | 'format'>;
  readonly waitingImports: Gauge<'account' | 'state'>;
  readonly oldestWaitingImport: Gauge<'account' | 'state'>;
  readonly dueMessages: Gauge<'channel' | 'lane'>;
  readonly oldestDueMessage: Gauge<'channel' | 'lane'>;
  readonly sendingMessages: Gauge<'channel'>;
  readonly connections: Gauge<'pool' | 'state'>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requests: new Histogram({
      name: 'beacon_request_seconds',
      help: 'Time to answer a request.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    shed: new Counter({
      name: 'beacon_shed_requests_total',
      help: 'Requests answered 503 because there were too many at once.',
      registers,
    }),
    pageRenders: new Counter({
      name: 'beacon_page_renders_total',
      help: 'Pages rendered on the server. Signed-out visitors share pages, each rendered once.',
      registers,
    }),
    logins: new Counter({
      name: 'beacon_logins_total',
      help: 'Attempts to sign in, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    untrustedProxies: new Counter({
      name: 'beacon_untrusted_proxy_requests_total',
      help: 'Forwarded requests from an address that TRUST_PROXY does not list.',
      registers,
    }),
    securityEvents: new Counter({
      name: 'beacon_security_events_total',
      help: 'Attempts against the site, by kind.',
      labelNames: ['kind'],
      registers,
    }),
    messages: new Counter({
      name: 'beacon_messages_total',
      help: 'Messages handed to providers, by channel and outcome.',
      labelNames: ['channel', 'outcome'],
      registers,
    }),
    feedAge: new Gauge({
      name: 'beacon_feed_age_seconds',
      help: "Time since an office's newest file of a format was imported; +Inf where a file is expected and never came.",
      labelNames: ['account', 'format'],
      registers,
    }),
    feedExpected: new Gauge({
      name: 'beacon_feed_expected_seconds',
      help: 'The age at which an office calls the newest file of a format late.',
      labelNames: ['account', 'format'],
      registers,
    }),
    waitingImports: new Gauge({
      name: 'beacon_waiting_imports',
      help: 'Imports that a second person has to release or discard.',
      labelNames: ['account', 'state'],
      registers,
    }),
    oldestWaitingImport: new Gauge({
      name: 'beacon_waiting_import_age_seconds',
      help: 'How long the oldest such import has waited.',
      labelNames: ['account', 'state'],
      registers,
    }),
    dueMessages: new Gauge({
      name: 'beacon_queue_due_messages',
      help: 'Messages that may leave now and have not; 100000 stands for that many or more.',
      labelNames: ['channel', 'lane'],
      registers,
    }),
    oldestDueMessage: new Gauge({
      name: 'beacon_queue_oldest_due_seconds',
      help: 'How long the oldest of them has been due.',
      labelNames: ['channel', 'lane'],
      registers,
    }),
    sendingMessages: new Gauge({
      name: 'beacon_queue_sending_messages',
      help: 'Messages that are with a provider, whose answer is not recorded yet; 100000 stands for that many or more.',
      labelNames: ['channel'],
      registers,
    }),
    connections: new Gauge({
      name: 'beacon_database_connections',
      help: 'Connections by pool: open, idle, the most there may be, and requests that wait for one.',
      labelNames: ['pool', 'state'],
      registers,
    }),
  };
}
