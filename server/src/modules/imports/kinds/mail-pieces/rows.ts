import { defineTempTable } from '../../../../platform/temp-tables.ts';
import { type Direction, directionOf, readImb } from '../../../mail-pieces/index.ts';
import type { MailPieceField } from '../../formats/format.ts';
import { ballotRange, type Day, type ReadDay } from '../../read/dates.ts';
import { type Cells, explainId, type ReadRow } from '../../read/row-reader.ts';
import { createNumberReader } from '../ballot-numbers.ts';
import { createElectionReader } from '../elections.ts';
import type { FileReader, Reading } from '../kind.ts';

/** A row names the envelopes of one ballot, each way one at most. */
export const stagedPieces = defineTempTable('staged_mail_pieces', {
  line: 'bigint',
  registration_id: 'text',
  election_id: 'bigint',
  /** Null where the row does not say. */
  ballot_number: 'text',
  printed_on: 'date',
  mailed_on: 'date',
  outbound: 'text',
  inbound: 'text',
  /** The barcode of a piece whose direction is not known. */
  undirected: 'text',
});

interface FoundPiece {
  readonly trackingCode: string;
  readonly direction: Direction | null;
  /** What the report says if the row is accepted. */
  readonly warning: string | null;
}
type ReadPiece = (cells: Cells) => FoundPiece | { readonly problem: string } | null;

/** How this file's rows become the envelopes of ballots. */
export function createMailPieceReader(reading: Reading): FileReader {
  const { reader, today, warn } = reading;
  const readId = reader.field('registration_id');
  const idLabel = reader.label('registration_id');
  const readElection = createElectionReader(reading);
  const readNumber = createNumberReader(reader);
  const days = (['printed_on', 'mailed_on'] as const).map((field) => ({
    label: reader.label(field),
    read: reader.has(field)
      ? reader.day(field, ballotRange(today))
      : (): ReadDay => ({ day: null }),
  }));
  const pieces = [
    createPieceReader(reading, 'outbound_imb', () => 'outbound'),
    createPieceReader(reading, 'inbound_imb', () => 'inbound'),
    createPieceReader(reading, 'imb', createDirectionReader(reading)),
  ];

  const readRow: ReadRow = (cells) => {
    const id = readId(cells);
    const badId = explainId(id, idLabel);
    if (badId !== null) return { problem: badId };
    const election = readElection(cells);
    if (typeof election === 'object') return election;
    const found: (Day | null)[] = [];
    for (const { label, read } of days) {
      const day = read(cells);
      if ('problem' in day) return { problem: `${label} ${day.problem}` };
      found.push(day.day);
    }
    const codes = new Map<Direction | null, string>();
    const warnings: string[] = [];
    for (const read of pieces) {
      const piece = read(cells);
      if (piece === null) continue;
      if ('problem' in piece) return piece;
      if (codes.has(piece.direction))
        return { problem: `the row has two ${piece.direction ?? 'undirected'} barcodes` };
      codes.set(piece.direction, piece.trackingCode);
      if (piece.warning !== null) warnings.push(piece.warning);
    }
    if (codes.size === 0) return { problem: 'the row has no barcode' };
    const [outbound = null, inbound = null, undirected = null] = [
      codes.get('outbound'),
      codes.get('inbound'),
      codes.get(null),
    ];
    if (outbound !== null && outbound === inbound)
      return { problem: 'the row has one barcode for both ways' };
    for (const warning of warnings) warn(warning);
    const number = readNumber(cells) || null;
    return [id, String(election), number, ...found, outbound, inbound, undirected];
  };
  const { line: _, ...columns } = stagedPieces.columns;
  return { columns: Object.keys(columns), readRow };
}

/** @param readStated the direction as the file states it; null where only the barcode can tell */
function createPieceReader(
  { reader, mail }: Reading,
  field: MailPieceField,
  readStated: (cells: Cells) => Direction | null | { readonly problem: string },
): ReadPiece {
  if (!reader.has(field)) return () => null;
  const read = reader.field(field);
  const label = reader.label(field);
  return (cells) => {
    const text = read(cells);
    if (text === '') return null;
    const found = readImb(text);
    if (!found.ok) return { problem: `${label} ${found.problem}` };
    const { trackingCode, serviceType } = found.imb;
    const stated = readStated(cells);
    if (typeof stated === 'object' && stated !== null) return stated;
    const coded = directionOf(found.imb, mail);
    if (stated !== null && coded !== null && stated !== coded) {
      const problem = `${label} is of ${coded} mail by its barcode (service type ${serviceType}), not ${stated}: correct the row, or add the service type to mail.stids in the account file`;
      return { problem };
    }
    const direction = stated ?? coded;
    if (coded !== null) return { trackingCode, direction, warning: null };
    const what = `${label} has service type ${serviceType}, which we do not know`;
    const warning =
      stated === null
        ? `${what}: its scans are stored and not shown. Give a direction, or add it to mail.stids in the account file`
        : `${what}: it counts as ${stated}, as the file says`;
    return { trackingCode, direction, warning };
  };
}

function createDirectionReader({
  reader,
}: Reading): (cells: Cells) => Direction | null | { readonly problem: string } {
  const read = reader.field('direction');
  const problem = `${reader.label('direction')} is neither outbound nor inbound`;
  return (cells) => {
    const text = read(cells).toLowerCase();
    if (text === '') return null;
    return text === 'outbound' || text === 'inbound' ? text : { problem };
  };
}
