import { type Language, languages } from '@ballot-beacon/contract/languages';
import { localDay } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/postgres.ts';
import { isSamePerson } from '../../audit/index.ts';
import { type AccountRules, addStatusMessages, wakeWorker } from '../enqueue/store.ts';
import type { Office } from '../office/store.ts';
import { renderMessage } from '../texts/render.ts';
import { countByStatus, type GateReason, weighImport } from './rules.ts';
import {
  correctMessages,
  hasListeners,
  holdMessages,
  lockImport,
  readGateElections,
  readGateHistory,
  readMessageKinds,
  releaseMessages,
  saveGate,
} from './store.ts';

export interface GateVerdict {
  readonly state: 'done' | 'held';
  readonly messages: number;
  readonly reasons: readonly GateReason[];
}

/** Makes an import's messages and lets them go, or keeps them for a second operator; within the import's transaction. */
export async function passGate(
  tx: Db,
  office: Office,
  rules: AccountRules,
  imported: { readonly importId: number; readonly rowsRead: number },
  now: Date,
): Promise<GateVerdict> {
  const { accountId, timeZone } = rules;
  const { importId, rowsRead } = imported;
  const today = localDay(now, timeZone);
  const history = await readGateHistory(tx, accountId, importId);
  const elections = await readGateElections(tx, accountId, today, history);
  const changes = countByStatus(elections.flatMap((election) => election.changes));
  const messages = await addStatusMessages(tx, rules, importId, now);
  // Where nobody listens there is nobody to mislead: an office's first files come long before its first voter.
  const isHeard = messages > 0 || (await hasListeners(tx));
  const trial = isHeard ? await tryRendering(tx, office, importId) : null;
  const reasons =
    trial === null
      ? []
      : weighImport({
          today,
          elections,
          history,
          gaps: trial.gaps,
          blankNames: trial.blankNames,
        });
  if (reasons.length > 0) await holdMessages(tx, importId);
  else if (messages > 0) for (const channel of rules.channels) await wakeWorker(tx, channel);
  await saveGate(tx, { accountId, importId, changes, messages, rowsRead, reasons }, now);
  return { state: reasons.length > 0 ? 'held' : 'done', messages, reasons };
}

/** Renders each different message of an import once and names the holes. */
async function tryRendering(
  tx: Db,
  office: Office,
  importId: number,
): Promise<{ gaps: string[]; blankNames: number }> {
  const kinds = await readMessageKinds(tx, importId);
  const gaps = kinds.flatMap((kind) => {
    const wish = Object.hasOwn(languages, kind.language) ? (kind.language as Language) : 'english';
    const { t, language } = office.translate(wish);
    const facts = {
      about: 'status' as const,
      status: kind.status,
      name: 'Name',
      election: kind.election_name,
      electionDate: kind.election_date,
      date: null,
      actionUrl: null,
      unsubscribeUrl: office.words.url,
    };
    return renderMessage(kind.channel, facts, office.words, t, language).gaps.map(
      (gap) => `${gap} (${kind.channel}, ${kind.status}, ${language})`,
    );
  });
  return {
    gaps: [...new Set(gaps)].slice(0, 20),
    blankNames: kinds.reduce((sum, kind) => sum + kind.blank_names, 0),
  };
}

export type ReleaseOutcome =
  | { readonly ok: true; readonly accountId: number; readonly messages: number }
  | { readonly ok: false; readonly problem: string };

/** Lets a held import's messages go, on the word of somebody else than who imported it. */
export async function release(
  tx: Db,
  importId: number,
  operator: string,
  now: Date,
): Promise<ReleaseOutcome> {
  const name = operator.trim();
  if (name === '') return refuse('--by needs the name of who releases.');
  const found = await lockImport(tx, importId);
  if (!found) return refuse(`There is no import ${importId}.`);
  if (found.state !== 'held')
    return refuse(`Import ${importId} is not held; it is ${found.state}.`);
  if (found.corrected_by !== null)
    return refuse(
      `Import ${importId} was corrected by ${found.corrected_by}: its messages are withdrawn for good.`,
    );
  if (isSamePerson(name, found.operator))
    return refuse(
      `${found.operator.replace(/^operator:/, '')} imported this file. A second person must check it and approve it: beacon release ${importId} --by THEIR_NAME`,
    );
  const { messages, channels } = await releaseMessages(tx, importId, name, now);
  for (const channel of channels) await wakeWorker(tx, channel);
  return { ok: true, accountId: found.account_id, messages };
}

export type CorrectOutcome =
  | {
      readonly ok: true;
      readonly accountId: number;
      readonly withdrawn: number;
      readonly corrections: number;
    }
  | { readonly ok: false; readonly problem: string };

/** Takes back what an import has not sent yet, and tells exactly those who got its messages that they were wrong. */
export async function correct(
  tx: Db,
  importId: number,
  operator: string,
  now: Date,
): Promise<CorrectOutcome> {
  const name = operator.trim();
  if (name === '') return refuse('--by needs the name of who corrects.');
  const found = await lockImport(tx, importId);
  if (!found) return refuse(`There is no import ${importId}.`);
  if (found.state === 'refused')
    return refuse(
      `Import ${importId} was refused: it sent nothing, so there is nothing to correct.`,
    );
  const { channels, ...counts } = await correctMessages(tx, importId, name, now);
  for (const channel of channels) await wakeWorker(tx, channel);
  return { ok: true, accountId: found.account_id, ...counts };
}

function refuse(problem: string): { ok: false; problem: string } {
  return { ok: false, problem };
}
