import { type Language, languages } from '@ballot-beacon/contract/languages';
import { localDay } from '../../../platform/clock.ts';
import type { AccountId, ImportId } from '../../../platform/ids.ts';
import type { Db, Tx } from '../../../platform/postgres.ts';
import { isSamePerson } from '../../audit/index.ts';
import { explainDecided } from '../../imports/index.ts';
import {
  type AccountRules,
  addStatusMessages,
  type StatusMessages,
  wakeWorker,
} from '../enqueue/store.ts';
import type { Office } from '../office/store.ts';
import { renderMessage } from '../texts/render.ts';
import { countByStatus, type GateReason, weighImport } from './rules.ts';
import {
  correctMessages,
  type GatedImport,
  hasListeners,
  keepMessages,
  lockImport,
  readGateElections,
  readGateHistory,
  releaseMessages,
  saveGate,
  turnToChanges,
} from './store.ts';

export interface GateVerdict {
  readonly state: 'done' | 'messages-held';
  readonly messages: number;
  readonly reasons: readonly GateReason[];
}

/** Creates an import's messages and releases them, or keeps them for a second person; within the import's transaction. */
export async function passGate(
  tx: Tx,
  office: Office,
  rules: AccountRules,
  imported: { readonly importId: ImportId; readonly rowsRead: number; readonly isJudged: boolean },
  now: Date,
): Promise<GateVerdict> {
  const { accountId, timeZone } = rules;
  const { importId, rowsRead, isJudged } = imported;
  const today = localDay(now, timeZone);
  await turnToChanges(tx);
  const history = await readGateHistory(tx, accountId, importId);
  const elections = await readGateElections(tx, accountId, today, isJudged ? null : history);
  const changes = countByStatus(elections.flatMap((election) => election.changes));
  const { kinds, messages } = await addStatusMessages(tx, rules, importId, now);
  // An office's first scans come long before the first voter signs up.
  const isHeard = messages > 0 || (await hasListeners(tx));
  const trial = isHeard ? tryRendering(office, kinds) : null;
  const reasons =
    trial === null
      ? []
      : weighImport({
          today,
          // The import's own gate judged an office's file before.
          elections: isJudged ? [] : elections,
          history,
          gaps: trial.gaps,
          blankNames: trial.blankNames,
        });
  if (reasons.length > 0) await keepMessages(tx, importId);
  else if (messages > 0) for (const channel of rules.channels) await wakeWorker(tx, channel);
  await saveGate(tx, { accountId, importId, changes, messages, rowsRead, reasons }, now);
  return { state: reasons.length > 0 ? 'messages-held' : 'done', messages, reasons };
}

/** Renders each different message of an import once and names the placeholders that stay empty. */
function tryRendering(
  office: Office,
  kinds: readonly StatusMessages[],
): { gaps: string[]; blankNames: number } {
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
      code: '00000000',
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
  | { readonly ok: true; readonly accountId: AccountId; readonly messages: number }
  | { readonly ok: false; readonly problem: string };

/** Releases an import's messages, approved by a second person. */
export async function release(
  tx: Db,
  importId: ImportId,
  operator: string,
  now: Date,
): Promise<ReleaseOutcome> {
  const name = operator.trim();
  if (name === '') return refuse('--by needs the name of the person who approves.');
  const found = await lockImport(tx, importId);
  if (!found) return refuse(`There is no import ${importId}.`);
  if (found.state === 'corrected')
    return refuse(
      `Import ${importId} was corrected${by(found)}. Its messages are withdrawn and cannot be released.`,
    );
  if (found.state === 'file-held')
    return refuse(`Nothing of import ${importId} was loaded yet. Run the same command again.`);
  if (found.state !== 'messages-held') return refuse(explainDecided(importId, found.state));
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
      readonly accountId: AccountId;
      readonly withdrawn: number;
      readonly corrections: number;
    }
  | { readonly ok: false; readonly problem: string };

/** Withdraws an import's messages that have not left, and sends a correction to exactly the voters who got one. */
export async function correct(
  tx: Db,
  importId: ImportId,
  operator: string,
  now: Date,
): Promise<CorrectOutcome> {
  const name = operator.trim();
  if (name === '') return refuse('--by needs the name of the person who corrects.');
  const found = await lockImport(tx, importId);
  if (!found) return refuse(`There is no import ${importId}.`);
  if (found.state === 'refused' || found.state === 'discarded')
    return refuse(
      `Import ${importId} was ${found.state}. Nothing was loaded or sent, so there is nothing to correct.`,
    );
  if (found.state === 'file-held')
    return refuse(
      `Nothing of import ${importId} was loaded yet, so there is nothing to correct. If the file is wrong: beacon discard ${importId} --by NAME --reason TEXT`,
    );
  if (found.state === 'nothing-new')
    return refuse(
      `Import ${importId} was the same file as the import before it and changed nothing. Correct that import.`,
    );
  if (found.state === 'corrected')
    return refuse(
      `Import ${importId} was already corrected${by(found)}. Nothing more was changed. Import the right file.`,
    );
  const { channels, ...counts } = await correctMessages(tx, importId, name, now);
  for (const channel of channels) await wakeWorker(tx, channel);
  return { ok: true, accountId: found.account_id, ...counts };
}

/** Voter rolls and scans cause no messages, and no name is on record with those of the import. */
function by({ corrected_by: name }: GatedImport): string {
  return name === null ? '' : ` by ${name}`;
}

function refuse(problem: string): { ok: false; problem: string } {
  return { ok: false, problem };
}
