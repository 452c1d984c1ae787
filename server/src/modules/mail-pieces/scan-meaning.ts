import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';

/** Everything that USPS can report: a scan never proves receipt. */
const PostalStatus = z.nullable(z.enum(['in-transit', 'delivered', 'return-in-transit']));
const Kind = z.enum(['scan', 'estimate']);

/** `scan-meanings.json`: correct facts there, never in code. */
const Meanings = z.strictObject({
  about: z.string(),
  event_types: z.record(z.string(), z.strictObject({ kind: Kind, source: z.string() })),
  arriving_before: z.strictObject({
    time: z.string().check(z.regex(/^\d\d:\d\d$/)),
    source: z.string(),
  }),
  meanings: z.array(
    z.strictObject({
      phases: z.optional(z.array(z.string())),
      codes: z.optional(z.array(z.string())),
      events: z.optional(z.array(z.string())),
      outbound: PostalStatus,
      inbound: PostalStatus,
      arriving: z._default(z.boolean(), false),
      source: z.string(),
    }),
  ),
});

const zone = z.string().check(z.minLength(1));
/** `facility-zones.json` */
const Zones = z.strictObject({
  about: z.string(),
  states: z.record(z.string(), zone),
  divided: z.record(
    z.string(),
    z.strictObject({ zone, except: z.record(z.string(), z.nullable(zone)) }),
  ),
});

const { event_types, arriving_before, meanings } = Meanings.parse(readTable('scan-meanings.json'));
const zones = Zones.parse(readTable('facility-zones.json'));
const eventTypes = new Map(Object.entries(event_types));
const statesWithOneZone = new Map(Object.entries(zones.states));
const dividedStates = new Map(Object.entries(zones.divided));

/** The meaning of a scan for its envelope, by direction; null means nothing. */
export interface ScanMeaning {
  readonly kind: z.infer<typeof Kind>;
  readonly outbound: z.infer<typeof PostalStatus>;
  readonly inbound: z.infer<typeof PostalStatus>;
  /** Sorted for the carrier's route. An outbound envelope sorted before {@link arrivingBefore} arrives that day. */
  readonly isArriving: boolean;
}

export interface ScannedAs {
  readonly opCode: string;
  readonly mailPhase: string;
  readonly eventType: string;
}

/** `HH:MM` on the facility's clock. */
export const arrivingBefore = arriving_before.time;

/** Looks up a scan in the table of meanings; null for an unknown scan. */
export function meaningOf(scan: ScannedAs): ScanMeaning | null {
  const event = eventTypeOf(scan.eventType);
  const phase = phaseOf(scan.mailPhase);
  const code = normalizeOpCode(scan.opCode);
  const kind = eventTypes.get(event)?.kind;
  const line = meanings.find(
    ({ phases, codes, events }) =>
      (phases?.includes(phase) ?? true) &&
      (codes?.includes(code) ?? true) &&
      (events?.includes(event) ?? true),
  );
  if (!kind || !line || (line.outbound === null && line.inbound === null)) return null;
  const { outbound, inbound, arriving } = line;
  return { kind, outbound, inbound, isArriving: arriving && kind === 'scan' };
}

/** "Phase 3c - Destination Sequenced Carrier Sortation" and "3C" are the same. */
function phaseOf(text: string): string {
  const [, phase = ''] = /^\s*(?:phase\s*)?([a-z0-9]+)/i.exec(text) ?? [];
  return phase.toLowerCase();
}

const spelledOut = new Map([
  ['ACTUAL', 'A'],
  ['ASSUMED', 'S'],
  ['LOGICAL', 'L'],
]);

function eventTypeOf(text: string): string {
  const [word = ''] = text.trim().toUpperCase().split(/\s+/);
  return spelledOut.get(word) ?? word;
}

/** As all reports of the same scan have it, which is known again by it: some spell it out. What no table knows stays, in capitals. */
export function normalizeEventType(text: string): string {
  const event = eventTypeOf(text);
  return eventTypes.has(event) ? event : text.toUpperCase();
}

/** As {@link normalizeEventType}: of three digits, of which a spreadsheet takes the zeros. */
export function normalizeOpCode(text: string): string {
  return /^\d+$/.test(text) ? text.replace(/^0+/, '').padStart(3, '0') : text.toUpperCase();
}

/**
 * The IANA time zone of a facility's clock; null when the state has several and the ZIP code does not decide.
 *
 * @param state postal abbreviation
 */
export function zoneOfFacility(state: string, zip: string): string | null {
  const code = state.trim().toUpperCase();
  const only = statesWithOneZone.get(code);
  if (only !== undefined) return only;
  const divided = dividedStates.get(code);
  const area = /^\d{5}/.exec(zip.trim())?.[0].slice(0, 3);
  if (!divided || area === undefined) return null;
  const other = divided.except[area];
  return other === undefined ? divided.zone : other;
}

function readTable(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`./${name}`, import.meta.url), 'utf8'));
}
