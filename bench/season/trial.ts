import type { Day } from '../../demo/generator/calendar.ts';
import type { AccidentKind, Delivery } from './accidents.ts';
import type { Imported, Picture, SeasonOffice } from './office.ts';

/**
 * What an accident came to: `waits` for a second person, `refused`, `same` (page and messages are those of the right file, or stayed as
 * they were), `late` (nothing false: some voters read and hear what is right, and the others nothing new); or else voters saw or heard of
 * it, `seen`, `heard`.
 */
type Outcome = 'waits' | 'refused' | 'same' | 'late' | 'seen' | 'heard';

export interface AccidentResult {
  readonly kind: AccidentKind;
  readonly day: Day;
  readonly outcome: Outcome;
  readonly state: string;
  readonly reasons: readonly string[];
  /** Of what voters see, lines that differ from before and from the right file. */
  readonly falseLines: readonly string[];
  readonly messages: readonly string[];
  /**
   * Empty where the right file, sent next, was imported at once and left the page as if the accident had not been; or else why it waits and which
   * lines are wrong.
   */
  readonly traces: readonly string[];
}

/** A wrong file that waits for a second person. */
export interface WaitingFile {
  readonly kind: AccidentKind;
  readonly imported: Imported;
  readonly office: SeasonOffice;
  /** The day's right file, and what voters see after it if nothing went wrong. */
  readonly right: Pick<Delivery, 'name' | 'bytes' | 'election'>;
  readonly after: Picture;
}

/** An accident that is due, and the office that it happens to. */
export interface Copy {
  readonly kind: AccidentKind;
  readonly delivery: Delivery;
  readonly copy: SeasonOffice;
}

interface Trial extends Copy {
  readonly day: Day;
  readonly right: Pick<Delivery, 'name' | 'bytes' | 'election'>;
  /** What voters saw before the day's right file, and what they see after it. */
  readonly before: Picture;
  readonly after: Picture;
  /** The messages of the right file. */
  readonly sent: readonly string[];
  readonly inspect?: (waiting: WaitingFile) => Promise<void>;
}

/** Lets an accident happen to a copy of the office. */
export async function tryAccident(trial: Trial): Promise<AccidentResult> {
  const { kind, day, delivery, copy, right, after, sent } = trial;
  const { isAfterTodays } = delivery;
  if (isAfterTodays) {
    await importOrdinary(copy, right);
    await copy.sendMessages();
  }
  const before = isAfterTodays ? after : trial.before;
  const imported = await copy.import(delivery);
  const messages = await copy.sendMessages();
  const picture = await copy.see();
  const falseLines = listFalse(picture, before, after);
  const outcome = judge(imported, {
    isUnchanged: isEqual(picture, before) && messages.length === 0,
    isTrue: falseLines.length === 0 && messages.every((message) => sent.includes(message)),
    isRight: isEqual(picture, after) && (isAfterTodays || isSame(messages, sent)),
    isHeard: messages.length > 0,
  });
  if (outcome === 'waits' && trial.inspect) {
    const office = await copy.copy();
    await trial.inspect({ kind, imported, office, right, after });
    await office.close();
  }
  return {
    ...{ kind, day, outcome, state: imported.state, reasons: imported.reasons },
    falseLines,
    messages: messages.filter((message) => !sent.includes(message)),
    traces: isAfterTodays ? [] : await findTraces(copy, right, after),
  };
}

function judge(
  imported: Imported,
  found: Readonly<Record<'isUnchanged' | 'isRight' | 'isTrue' | 'isHeard', boolean>>,
): Outcome {
  if (found.isUnchanged) {
    if (imported.state === 'refused') return 'refused';
    return isImported(imported) ? 'same' : 'waits';
  }
  // Such as acceptances flipped on a day without any.
  if (found.isRight) return 'same';
  if (found.isTrue) return 'late';
  return found.isHeard ? 'heard' : 'seen';
}

async function findTraces(
  copy: SeasonOffice,
  right: Trial['right'],
  after: Picture,
): Promise<string[]> {
  const next = await copy.import(right);
  const waits = isImported(next) ? [] : [`${next.state}: ${next.reasons.join(' / ')}`];
  const picture = await copy.see();
  const missing = [...after].filter(([key, value]) => picture.get(key) !== value);
  return [
    ...waits,
    ...missing.map(([key, value]) => `${key}: ${picture.get(key) ?? 'unknown'} and not ${value}`),
    ...[...picture.keys()].filter((key) => !after.has(key)),
  ];
}

function listFalse(picture: Picture, before: Picture, after: Picture): string[] {
  return [...picture]
    .filter(([key, value]) => value !== before.get(key) && value !== after.get(key))
    .map(([key, value]) => `${key}: ${before.get(key) ?? 'unknown'} -> ${value}`);
}

function isEqual(one: Picture, other: Picture): boolean {
  return one.size === other.size && [...one].every(([key, value]) => other.get(key) === value);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((message, place) => message === other[place]);
}

/** Imports the file of an ordinary day; if it waits, a second person approves it. */
export async function importOrdinary(
  office: Pick<SeasonOffice, 'import' | 'release'>,
  right: Pick<Delivery, 'name' | 'bytes' | 'election'>,
): Promise<Imported> {
  const imported = await office.import(right);
  if (!isImported(imported) && imported.importId !== null) await office.release(imported.importId);
  return imported;
}

export function isImported({ state }: Imported): boolean {
  return state === 'done' || state === 'nothing-new';
}
