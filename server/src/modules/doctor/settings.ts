import { type Config, ConfigError, madeUpContact } from '../../platform/config.ts';
import type { ChannelSettings } from '../notifications/index.ts';
import { readHost } from '../sites/index.ts';
import type { Finding } from './findings.ts';

/** What a production start refuses to go without. */
export function findMissingSettings(config: Config, channels: ChannelSettings): Finding[] {
  const findings: Finding[] = [];
  if (config.publicUrl?.protocol !== 'https:')
    findings.push({
      id: 'settings.public-url',
      problem: 'PUBLIC_URL is not an https address.',
      fix: 'Set PUBLIC_URL to the address voters see, such as https://vote.example.gov.',
    });
  const { publicUrl, baseDomain } = config;
  if (publicUrl && readHost(publicUrl.host, baseDomain).kind === 'foreign')
    findings.push({
      id: 'settings.base-domain',
      problem: `PUBLIC_URL is at ${publicUrl.hostname}, which is neither BASE_DOMAIN (${baseDomain}) nor below it: no page is served, and links in messages lead nowhere.`,
      fix: 'Set BASE_DOMAIN, for every process, to the domain below which each office has its address, such as vote.example.gov.',
    });
  if (config.secrets === undefined)
    findings.push({
      id: 'settings.secrets',
      problem: 'BEACON_SECRETS is not set.',
      fix: 'Set BEACON_SECRETS (or BEACON_SECRETS_FILE) to a random text of 32 characters or more.',
    });
  for (const { channel, isSet, decision, how } of readDecisions(channels)) {
    if (isSet) continue;
    findings.push({
      id: `settings.${channel}-provider`,
      problem: `Nothing is decided about how ${channel} is sent.`,
      fix: `Set ${how}, or ${decision}=none to send none.`,
    });
  }
  return findings;
}

/** @throws {ConfigError} in production, naming everything that is missing */
export function refuseUnsafeStart(config: Config, channels: ChannelSettings): void {
  if (!config.production) return;
  const missing = findMissingSettings(config, channels);
  if (missing.length === 0) return;
  const lines = missing.map(({ problem, fix }) => `  ${problem} ${fix}`);
  throw new ConfigError(
    `With NODE_ENV=production the product does not start like this:\n${lines.join('\n')}`,
  );
}

/** What else an operator should look at; the product runs with it. */
export function findUnsafeSettings(config: Config, channels: ChannelSettings): Finding[] {
  const findings = findPlainProviders(channels);
  if (!config.production)
    findings.push({
      id: 'settings.node-env',
      problem: 'NODE_ENV is not production: what is only for trying out is open.',
      fix: 'Set NODE_ENV=production for every process.',
    });
  if (config.trustProxy === false)
    findings.push({
      id: 'settings.trust-proxy',
      problem: 'TRUST_PROXY is 0: behind a proxy all voters look like one address.',
      fix: 'Set TRUST_PROXY to the addresses of your proxies, such as 10.0.0.0/8 or loopback.',
    });
  if (config.supportPhone === madeUpContact.phone)
    findings.push({
      id: 'settings.support-phone',
      problem: 'SUPPORT_PHONE is the invented number.',
      fix: 'Set SUPPORT_PHONE to a number that somebody answers, such as +1 and ten digits.',
    });
  if (config.supportEmail === madeUpContact.email)
    findings.push({
      id: 'settings.support-email',
      problem: 'SUPPORT_EMAIL is the invented address.',
      fix: 'Set SUPPORT_EMAIL to an address that somebody reads.',
    });
  if (config.securityContact === undefined)
    findings.push({
      id: 'settings.security-contact',
      problem: 'SECURITY_CONTACT is not set: a person who finds a weakness cannot report it.',
      fix: 'Set SECURITY_CONTACT to an address such as mailto:security@example.gov.',
    });
  if (silentLevels.has(config.logLevel))
    findings.push({
      id: 'settings.log-level',
      problem: `LOG_LEVEL is ${config.logLevel}: attacks are not in the log.`,
      fix: 'Set LOG_LEVEL to warn or info.',
    });
  const { secrets = [], tokenKeys = [], fileKeys = [] } = config;
  const keys = [new Set(secrets), new Set(tokenKeys), new Set(fileKeys)].flatMap((set) => [...set]);
  if (new Set(keys).size < keys.length)
    findings.push({
      id: 'settings.shared-secret',
      problem:
        'BEACON_SECRETS, BEACON_TOKEN_KEYS and BEACON_FILE_KEYS have a text in common: a person who gets one has the other.',
      fix: 'Give each a random text of its own, the new text before the old.',
    });
  return findings;
}

/** Events of security are warnings. */
const silentLevels: ReadonlySet<string> = new Set(['error', 'fatal', 'silent']);
const ownMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Messages and passwords that go to a provider over the network without encryption, or without being sure of it. */
function findPlainProviders({
  SMTP_URL,
  SMS_HTTP_URL,
  TWILIO_API_URL,
}: ChannelSettings): Finding[] {
  const findings: Finding[] = [];
  const isPlain = (url: string | undefined, protocol: string) => {
    const read = url === undefined ? null : URL.parse(url);
    return read?.protocol === protocol && !ownMachine.test(read.hostname);
  };
  if (SMTP_URL !== undefined && isOpenSmtp(SMTP_URL))
    findings.push({
      id: 'settings.smtp-tls',
      problem:
        'SMTP_URL lets email, and the password of the mail server, go without encryption, or to a server with any certificate.',
      fix: 'Begin SMTP_URL with smtps://, or end it with ?requireTLS=true where the server has STARTTLS alone. Leave tls.rejectUnauthorized and ignoreTLS out.',
    });
  for (const [setting, url] of [
    ['SMS_HTTP_URL', SMS_HTTP_URL],
    ['TWILIO_API_URL', TWILIO_API_URL],
  ] as const)
    if (isPlain(url, 'http:'))
      findings.push({
        id: 'settings.sms-tls',
        problem: `${setting} lets texts, and the provider's password, go without encryption.`,
        fix: `Begin ${setting} with https://.`,
      });
  return findings;
}

/**
 * Nodemailer takes its options from the query: without requireTLS, or with ignoreTLS, an attacker in between can make it leave
 * STARTTLS out, and tls.rejectUnauthorized lets the attacker be the server.
 */
function isOpenSmtp(address: string): boolean {
  const url = URL.parse(address);
  if (!url || ownMachine.test(url.hostname)) return false;
  const { searchParams: options } = url;
  const isUnchecked = options.getAll('tls.rejectUnauthorized').some((value) => value !== 'true');
  const needsTls = options.get('requireTLS') === 'true' && !options.has('ignoreTLS');
  return isUnchecked || (url.protocol === 'smtp:' && !needsTls);
}

function readDecisions(channels: ChannelSettings) {
  const { TWILIO_ACCOUNT_SID: twilio } = channels;
  return [
    {
      channel: 'email',
      decision: 'EMAIL_PROVIDER',
      how: 'SMTP_URL',
      isSet: channels.EMAIL_PROVIDER === 'none' || channels.SMTP_URL !== undefined,
    },
    {
      channel: 'sms',
      decision: 'SMS_PROVIDER',
      how: 'TWILIO_ACCOUNT_SID or SMS_HTTP_URL',
      isSet:
        channels.SMS_PROVIDER === 'none' ||
        twilio !== undefined ||
        channels.SMS_HTTP_URL !== undefined,
    },
    {
      channel: 'voice',
      decision: 'VOICE_PROVIDER',
      how: 'TWILIO_ACCOUNT_SID',
      isSet: channels.VOICE_PROVIDER === 'none' || twilio !== undefined,
    },
  ] as const;
}
