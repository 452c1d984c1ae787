import { messageKinds, messageStates } from '@ballot-beacon/contract/messages';
import type { OwnMessages } from '@ballot-beacon/contract/own-messages';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  type TestBrowser,
} from '../../../../testing/api.ts';
import { signInNewVoter } from '../../../../testing/new-voter.ts';
import type { AccountId, VoterId } from '../../platform/ids.ts';

let api: TestApi;
let adams: AccountId;
let voterId: VoterId;
let browser: TestBrowser;

beforeAll(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams', contact_phone: '(352) 555-0100' });
});
afterAll(() => api.close());
beforeEach(async () => {
  ({ voterId, browser } = await signInNewVoter(api, { accountId: adams, host: 'adams.localhost' }));
});

const read = async (): Promise<OwnMessages> => (await browser.get('/api/voter/message')).json();

describe('what a voter reads', () => {
  test('is every message of 90 days and every consent of the ledger, newest first, and no other voter’s', async () => {
    const other = await addVoter(api.test, adams, { lastname: 'Neighbor' });
    const channel = fc.constantFrom('email', 'sms', 'voice');
    const message = fc.record({
      kind: fc.constantFrom(...messageKinds),
      state: fc.constantFrom(...messageStates),
      channel,
      name: fc.integer({ min: 0, max: 9999 }),
      daysAgo: fc
        .oneof(fc.integer({ min: 0, max: 180 }), fc.constantFrom(89, 91))
        .filter((days) => days !== 90),
      isOwn: fc.boolean(),
    });
    const consent = fc.record({
      channel,
      name: fc.integer({ min: 0, max: 9999 }),
      action: fc.constantFrom('asked', 'confirmed', 'withdrawn'),
      source: fc.constantFrom('preferences page', 'sms reply', 'bounce', 'a paper form'),
      isOwn: fc.boolean(),
    });
    const addressOf = (way: string, name: number) =>
      way === 'email' ? `voter${name}@example.org` : `+1352555${String(name).padStart(4, '0')}`;
    const sets = fc.record({ messages: fc.array(message), consents: fc.array(consent) });
    let cause = 0;
    await fc.assert(
      fc.asyncProperty(sets, async ({ messages, consents }) => {
        ({ voterId, browser } = await signInNewVoter(api, {
          accountId: adams,
          host: 'adams.localhost',
        }));
        // Two ways to the voter make no message two.
        await api.query(
          `insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
           values ($1, $2, 'email', 'a@example.org', 'proven', true), ($1, $2, 'sms', '+13525550001', 'proven', true)`,
          [adams, voterId],
        );
        for (const one of messages) {
          cause += 1;
          await api.query(
            `insert into messages (account_id, kind, voter_id, channel, address, language, cause, state, deliver_after,
               created_at, sent_at)
             values ($1, $2, $3, $4, $5, 'english', $6, $7, now(), $8, $9)`,
            [
              adams,
              one.kind,
              one.isOwn ? voterId : other,
              one.channel,
              addressOf(one.channel, one.name),
              `generated:${cause}`,
              one.state,
              new Date(api.clock.now().getTime() - one.daysAgo * 86_400_000),
              one.state === 'sent' || one.state === 'delivered' ? api.clock.now() : null,
            ],
          );
        }
        for (const one of consents)
          await api.query(
            `insert into consents (account_id, voter_id, channel, address, action, source, wording)
             values ($1, $2, $3, $4, $5, $6, 'test')`,
            [
              adams,
              one.isOwn ? voterId : other,
              one.channel,
              addressOf(one.channel, one.name),
              one.action,
              one.source,
            ],
          );
        const shown = await read();
        const since = new Date(api.clock.now().getTime() - 90 * 86_400_000);
        const ledger = await api.query(
          `select message_id, channel, left(address, 1) || '•••' || substr(address, strpos(address, '@')) as mail,
             '•••-' || right(address, 4) as phone, created_at, sent_at,
             case state when 'created' then 'waiting' when 'held' then 'waiting' when 'failed-permanent' then 'refused'
               when 'failed-temporary-exhausted' then 'failed' when 'outcome-unknown' then 'unknown'
               else state::text end as outcome
           from messages where voter_id = $1 and created_at > $2 order by message_id desc`,
          [voterId, since],
        );
        expect(
          shown.messages.map(({ message_id, channel: way, address, created_at, sent_at }) => ({
            message_id,
            channel: way,
            address,
            created_at,
            sent_at,
          })),
        ).toEqual(
          ledger.map((row) => {
            const {
              message_id,
              channel: way,
              mail,
              phone,
              created_at,
              sent_at,
            } = row as {
              message_id: number;
              channel: string;
              mail: string;
              phone: string;
              created_at: Date;
              sent_at: Date | null;
            };
            return {
              message_id,
              channel: way,
              address: way === 'email' ? mail : phone,
              created_at: created_at.toISOString(),
              sent_at: sent_at?.toISOString() ?? null,
            };
          }),
        );
        expect(shown.messages.map(({ outcome }) => outcome)).toEqual(
          ledger.map((row) => (row as { outcome: string }).outcome),
        );
        const agreed = await api.query(
          `select channel, action, at,
             case source when 'preferences page' then 'page' when 'sms reply' then 'text'
               when 'bounce' then 'provider' else 'other' end as source
           from consents where voter_id = $1 order by consent_id desc`,
          [voterId],
        );
        expect(shown.consents.map(({ address: _, ...rest }) => rest)).toEqual(
          agreed.map((row) => ({ ...row, at: (row as { at: Date }).at.toISOString() })),
        );
      }),
      { numRuns: 20 },
    );
  });

  test('is refused without a session', async () => {
    const answer = await api.browser('adams.localhost').get('/api/voter/message');
    expect(answer.statusCode).toBe(403);
  });
});
