import type { SmsStatus } from '@ballot-beacon/contract/messages';
import {
  listOutbox,
  preferencesSaved,
  readChannelSettings,
  registerNotificationRoutes,
} from '../server/src/modules/notifications/index.ts';
import { createHttpServer } from '../server/src/platform/http.ts';
import { createLog } from '../server/src/platform/log.ts';
import { createMetrics } from '../server/src/platform/metrics.ts';
import { createSecrets } from '../server/src/platform/secrets.ts';
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

const blank = {
  email: '',
  email_opt_in: false,
  is_valid_email: null,
  phone_sms: '',
  sms_opt_in: false,
  sms_status: 'none' as SmsStatus,
  phone_voice: '',
  pending_voice: '',
  voice_opt_in: false,
  language_preference: null,
  email_do_not_contact_before: null,
  email_do_not_contact_after: null,
  sms_do_not_contact_before: null,
  sms_do_not_contact_after: null,
  voice_do_not_contact_before: null,
  voice_do_not_contact_after: null,
};

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
  const { database, config, clock } = county;
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
  const sms = async () =>
    (
      await sql<{ sms_status: string; sms_opt_in: boolean }>`
    select sms_status, sms_opt_in from contact_preferences where phone_sms = ${phone}`.execute(
        county.database.system,
      )
    ).rows[0];

  /** A save of preferences as the page makes it. */
  async function save(
    voter: string,
    change: Partial<typeof blank> & Record<string, unknown>,
  ): Promise<number> {
    const { database, config, account, clock } = county;
    return database.transaction(async (tx) => {
      const { rows: found } = await sql<typeof blank & { voter_id: number }>`
        select v.voter_id, p.* from voters v left join contact_preferences p on p.voter_id = v.voter_id
        where v.registration_id = ${voter}`.execute(tx);
      const { rows: ids } = await sql<{
        voter_id: number;
      }>`select voter_id from voters where registration_id = ${voter}`.execute(tx);
      const voterId = ids[0]?.voter_id ?? 0;
      const row = found[0];
      const before = row && row.email !== null ? row : null;
      const after = { ...(before ?? blank), ...change };
      await sql`insert into contact_preferences (account_id, voter_id, email, email_opt_in, is_valid_email, phone_sms, sms_opt_in, sms_status, phone_voice, pending_voice, voice_opt_in)
        values (${account.accountId}, ${voterId}, ${after.email}, ${after.email_opt_in}, ${after.is_valid_email}, ${after.phone_sms}, ${after.sms_opt_in}, ${after.sms_status}, ${after.phone_voice}, ${after.pending_voice}, ${after.voice_opt_in})
        on conflict (voter_id) do update set email = excluded.email, email_opt_in = excluded.email_opt_in, is_valid_email = excluded.is_valid_email,
          phone_sms = excluded.phone_sms, sms_opt_in = excluded.sms_opt_in, sms_status = excluded.sms_status, phone_voice = excluded.phone_voice,
          pending_voice = excluded.pending_voice, voice_opt_in = excluded.voice_opt_in`.execute(tx);
      await preferencesSaved(
        tx,
        config,
        account.accountId,
        { voterId, before, after },
        clock.now(),
      );
      return voterId;
    });
  }
  const askForTexts = () =>
    save('V001', { phone_sms: phone, sms_opt_in: true, sms_status: 'pending' });
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
    save,
    askForTexts,
    send,
    async close() {
      await app.close();
      await county.drop();
    },
  };
}
