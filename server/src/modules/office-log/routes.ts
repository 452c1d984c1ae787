import { Readable } from 'node:stream';
import { type LogAnswer, type LogQuery, logAreas } from '@ballot-beacon/contract/office/log';
import { attachAs } from '../../platform/attach.ts';
import {
  type OfficeAuditFilter,
  pageOfficeAudit,
  type RecordedAuditEntry,
} from '../audit/index.ts';
import { nameActors, type OfficeApi } from '../people/index.ts';
import { utf8Mark, writeCsv } from '../reports/index.ts';

const pageLength = 100;
const mostInFile = 50_000;
const cutLine = {
  ...{ at: '', who: '', actor: '', action: '', target: '' },
  details: `The file ends here: it has the newest ${mostInFile} entries. Choose days to get the others.`,
};

/** The office's own record: who did what, from what, to what. */
export function registerOfficeLogRoutes(api: OfficeApi): void {
  api.answer('listLog', async ({ db, account }, { query }) => {
    const found = await pageOfficeAudit(db, filterBy(query, account), pageLength + 1);
    const shown = found.slice(0, pageLength);
    const nameOf = await nameActors(
      db,
      shown.map(({ actor }) => actor),
    );
    return {
      entries: shown.map((one) => ({
        audit_id: one.auditId,
        at: one.at.toISOString(),
        actor: one.actor,
        who: nameOf(one.actor),
        action: one.action,
        target: one.target,
        details: listDetails(one),
      })),
      next: found.length > pageLength ? (shown.at(-1)?.auditId ?? null) : null,
    };
  });

  api.answer('downloadLog', async ({ db, account }, { query, reply }) => {
    const found = await pageOfficeAudit(db, filterBy(query, account), mostInFile + 1);
    const entries = found.slice(0, mostInFile);
    const nameOf = await nameActors(
      db,
      entries.map(({ actor }) => actor),
    );
    attachAs(reply, 'log.csv');
    const writeMoment = createMomentWriter(account.timeZone);
    const rows = entries.map((one) => ({
      at: writeMoment(one.at),
      who: nameOf(one.actor),
      actor: one.actor,
      action: one.action,
      target: one.target,
      details: listDetails(one)
        .map(({ name, value }) => `${name}: ${value}`)
        .join('; '),
    }));
    const columns = ['at', 'who', 'actor', 'action', 'target', 'details'] as const;
    return Readable.from([
      utf8Mark,
      writeCsv(columns, found.length > mostInFile ? [...rows, cutLine] : rows),
    ]);
  });
}

function filterBy(
  { area, ...filter }: LogQuery,
  { timeZone }: { readonly timeZone: string },
): OfficeAuditFilter {
  return { ...filter, timeZone, nouns: area && logAreas[area] };
}

/** Moments by the office's clock, as the days are by which entries are chosen: `2026-11-01 01:30:00 PDT`. */
function createMomentWriter(timeZone: string): (instant: Date) => string {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
    ...{ timeZoneName: 'short', timeZone },
  });
  return (instant) => {
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    const join = (separator: string, ...types: Intl.DateTimeFormatPartTypes[]) =>
      types.map((type) => parts.get(type)).join(separator);
    return `${join('-', 'year', 'month', 'day')} ${join(':', 'hour', 'minute', 'second')} ${parts.get('timeZoneName')}`;
  };
}

/** Counts, field names and reasons, each as text. */
function listDetails({ details }: RecordedAuditEntry): LogAnswer['entries'][number]['details'] {
  return Object.entries(details).map(([name, value]) => ({ name, value: writeValue(value) }));
}

function writeValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null) return '–';
  if (isChange(value)) return `${writeValue(value.from)} → ${writeValue(value.to)}`;
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object'))
    return value.join(', ');
  return JSON.stringify(value);
}

/** What was one thing before and is another after, as changed settings are recorded. */
function isChange(value: unknown): value is { readonly from: unknown; readonly to: unknown } {
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  return names.length === 2 && names.includes('from') && names.includes('to');
}
