import type { Channel } from '@ballot-beacon/contract/messages';
import {
  type ContactChannel,
  type Contacts,
  lockContacts,
  noContacts,
  type StoredContacts,
  selectContacts,
  smsStatusOf,
  toContacts,
  writeContacts,
} from '../server/src/modules/contacts/index.ts';
import {
  listOutbox,
  preferencesSaved,
  readChannelSettings,
  registerNotificationRoutes,
} from '../server/src/modules/notifications/index.ts';
import { createHttpServer } from '../server/src/platform/http.ts';
import type { VoterId } from '../server/src/platform/ids.ts';
import { createLog } from '../server/src/platform/log.ts';
import { createMetrics } from '../server/src/platform/metrics.ts';
import { createSecrets } from '../server/src/platform/secrets.ts';
import { openApiDatabase } from './api-database.ts';
import { createMessageCounty, type MessageCounty } from './messages.ts';
import { sql } from './sql.ts';

const authToken = 'an-auth-token-of-twilio-for-tests';
export const smsToken = 'a-token-of-the-second-provider';
export const mailToken = 'a-token-of-the-mail-system';
const environment: Record<string, string> = {
  TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000000',
  TWILIO_AUTH_TOKEN: authToken,
  SMS_HTTP_URL: 'http://127.0.0.1:9/sms',
  SMS_HTTP_TOKEN: smsToken,
  MAIL_EVENTS_TOKEN: mailToken,
};
const settings = readChannelSettings((name) => environment[name]);
/** Of voter V001. */
export const phone = '+13525550001';
export const shortCode = '41575';

let texts = 0;
const nextId = (prefix: string): string => {
  texts += 1;
  return `${prefix}${texts}`;
};
export type PhoneOffice = Awaited<ReturnType<typeof openPhoneOffice>>;

/** Twilio's own library signs, not ours: `twilio.getExpectedTwilioSignature`. */
type SignCall = (token: string, url: string, fields: Record<string, string>) => string;

/**
 * A county of two voters whose providers call back, and voters who text, call and save their preferences.
 *
 * @param openDelivery gives what hands over all that is due
 */
export async function openPhoneOffice(
  sign: SignCall,
  openDelivery: (county: MessageCounty) => Promise<() => Promise<void>>,
) {
  const county = await createMessageCounty(['V001', 'V002']);
  const { config, clock } = county;
  const database = openApiDatabase(county.database);
  const log = createLog('silent');
  const secrets = createSecrets(['a test secret of thirty-two characters']);
  const app = await createHttpServer({ config, log, metrics: createMetrics() });
  await registerNotificationRoutes(app, { database, config, clock, log, secrets, settings });
  const deliver = await openDelivery(county);

  /** Posts a form as Twilio does, signed by Twilio's own library. */
  function callTwilio(path: string, fields: Record<string, string>, token = authToken) {
    const signature = sign(token, `https://beacon.example${path}`, fields);
    return app.inject({
      method: 'POST',
      url: path,
      headers: {
        'x-twilio-signature': signature,
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams(fields).toString(),
    });
  }

  async function text(body: string, from = phone, sid = nextId('SM')): Promise<void> {
    const fields = { MessageSid: sid, From: from, To: shortCode, Body: body };
    const answer = await callTwilio('/api/provider/twilio/sms', fields);
    if (answer.statusCode !== 200 || !answer.body.includes('<Response></Response>'))
      throw new Error(`A text was answered ${answer.statusCode}: ${answer.body}`);
  }

  const outbox = () => listOutbox(county.database.system, county.account.accountId, null);
  const sentKinds = async () =>
    (await outbox())
      .filter(({ state }) => state === 'sent')
      .map(({ kind }) => kind)
      .reverse();
  const findVoter = async (voter: string): Promise<VoterId> => {
    const { rows } = await sql<{ voter_id: VoterId }>`
      select voter_id from voters where registration_id = ${voter}`.execute(county.database.system);
    if (!rows[0]) throw new Error(`There is no voter ${voter}.`);
    return rows[0].voter_id;
  };
  /** The channels of a voter as they are kept. */
  const channelsOf = async (voter: string): Promise<Contacts['channels']> => {
    const { rows } = await sql<{ contacts: StoredContacts | null }>`
      select ${selectContacts(sql`${await findVoter(voter)}`)} as contacts`.execute(
      county.database.system,
    );
    return toContacts(rows[0]?.contacts ?? null).channels;
  };
  const sms = async () => {
    const channel = (await channelsOf('V001')).sms;
    return { sms_status: smsStatusOf(channel), sms_opt_in: channel.isOptedIn };
  };

  /** A save of preferences with what follows from it; unlike the page it refuses nothing. */
  async function save(
    voter: string,
    change: Readonly<Partial<Record<Channel, Partial<ContactChannel>>>>,
  ): Promise<VoterId> {
    const { database, config, account, clock } = county;
    const { accountId } = account;
    const voterId = await findVoter(voter);
    await database.transaction(async (tx) => {
      const before = (await lockContacts(tx, accountId, voterId)) ?? null;
      const known = before ?? noContacts;
      const { email, sms, voice } = known.channels;
      const after: Contacts = {
        ...known,
        isConfirmed: true,
        channels: {
          email: { ...email, ...change.email },
          sms: { ...sms, ...change.sms },
          voice: { ...voice, ...change.voice },
        },
      };
      await writeContacts(tx, { accountId, voterId }, known, after, clock.now());
      await preferencesSaved(
        tx,
        config,
        accountId,
        { voterId, before, after, roll: { email: '', phone: '', language: null } },
        clock.now(),
      );
    });
    return voterId;
  }
  const askForTexts = () =>
    save('V001', { sms: { address: phone, isOptedIn: true, status: 'unproven' } });
  const send = (voter: string, status: 'Outbound' | 'Accepted') =>
    county.importBallots([
      {
        voter,
        status,
        mailed: '2026-10-03',
        ...(status === 'Accepted' ? { returned: '2026-10-04' } : {}),
      },
    ]);

  return {
    county,
    app,
    callTwilio,
    nextId,
    text,
    deliver,
    outbox,
    sentKinds,
    sms,
    channelsOf,
    save,
    askForTexts,
    send,
    async close() {
      await app.close();
      await database.close();
      await county.drop();
    },
  };
}
