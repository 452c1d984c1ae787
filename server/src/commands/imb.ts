import type { Command } from 'commander';
import { type MailSettings, readSettings } from '../modules/accounts/index.ts';
import {
  directionOf,
  findPiece,
  type Imb,
  type KnownPiece,
  readImb,
  stids,
  toBars,
} from '../modules/mail-pieces/index.ts';
import { formatDate } from '../platform/clock.ts';
import { type CommandContext, CommandError, requireAccount } from './context.ts';

export function register(program: Command, context: CommandContext): void {
  program
    .command('imb')
    .description("explain an envelope's Intelligent Mail barcode, and show whose ballot it is")
    .argument('<barcode...>', 'its 20, 25, 29 or 31 digits, or its 65 bars A, D, F and T')
    .option('--account <subdomain>', 'the account, for its own service types and its ballots')
    .option('--json', 'as one JSON document')
    .action((parts: string[], { account, json }: { account?: string; json?: true }) => {
      const imbs = readBarcodes(parts);
      const show = (settings: MailSettings, known: readonly KnownPiece[] | null) => {
        const found = imbs.map((imb, place) => ({
          imb,
          direction: directionOf(imb, settings),
          known: known?.[place] ?? null,
        }));
        if (json) {
          const documents = found.map((one) => toJson(one.imb, one.direction, one.known));
          context.printJson(documents.length === 1 ? documents[0] : documents);
        } else {
          const texts = found.map((one) => describe(one.imb, one.direction, one.known).join('\n'));
          context.print(texts.join('\n\n'));
        }
      };
      if (account === undefined) return show(readSettings({}).mail, null);
      return context.withDatabase(async (database) => {
        const { accountId, settings } = await requireAccount(database, account);
        const known: KnownPiece[] = [];
        for (const { trackingCode } of imbs)
          known.push(await findPiece(database.system, accountId, trackingCode));
        show(settings.mail, known);
      });
    });
}

/** Digits of a tracking code: fewer are a part of a barcode that was copied with its spaces. */
const shortestBarcode = 20;

/** One barcode, with or without the spaces between its fields, or several. @throws {CommandError} with the place of an unreadable barcode */
function readBarcodes(parts: readonly string[]): readonly Imb[] {
  const whole = readImb(parts.join(' '));
  if (whole.ok) return [whole.imb];
  if (parts.length === 1 || !parts.some((part) => part.length >= shortestBarcode))
    throw new CommandError(`The barcode ${whole.problem}.`);
  return parts.map((part, place) => {
    const read = readImb(part);
    if (read.ok) return read.imb;
    throw new CommandError(
      `Barcode ${place + 1} of ${parts.length}, ${part}, ${read.problem}. No barcode was shown.`,
    );
  });
}

function describe(imb: Imb, direction: string | null, known: KnownPiece | null): string[] {
  const { barcodeId, serviceType, mailerId, serial, trackingCode } = imb;
  const rows = [
    ['Barcode ID', barcodeId],
    ['Service type', `${serviceType}, ${describeService(serviceType)}`],
    ['Mailer ID', mailerId],
    ['Serial number', serial],
    ['Routing code', describeRouting(imb)],
    ['Tracking code', trackingCode],
    ['Bars', toBars(imb)],
    [
      'Direction',
      direction ??
        'unknown: scans are stored but not shown. Set it in the account file under mail.stids',
    ],
    ...(known === null ? [] : describeKnown(known)),
  ];
  return rows.map(([name = '', value = '']) => `${name.padEnd(15)}${value}`.trimEnd());
}

function describeService(serviceType: string): string {
  const stid = stids.get(serviceType);
  if (!stid) return 'not in any table';
  return [
    stid.direction,
    stid.class,
    stid.service,
    stid.undeliverable && `${stid.undeliverable} if it cannot be delivered`,
    stid.retired && 'retired',
    stid.note,
  ]
    .filter(Boolean)
    .join(', ');
}

function describeRouting({ routing }: Imb): string {
  if (routing === '') return 'none';
  const plus4 = routing.length > 5 ? `-${routing.slice(5, 9)}` : '';
  const point = routing.length > 9 ? `, delivery point ${routing.slice(9)}` : '';
  return `ZIP ${routing.slice(0, 5)}${plus4}${point}`;
}

function describeKnown({ ballots, scans }: KnownPiece): string[][] {
  const rows = ballots.map((ballot, place) => [
    place === 0 ? 'Ballot' : 'Before',
    [
      `voter ${ballot.registrationId}`,
      `election ${ballot.election}`,
      ...(ballot.ballotNumber === '' ? [] : [`ballot ${ballot.ballotNumber}`]),
      ballot.direction ?? 'direction unknown',
      ...(ballot.mailedOn === null ? [] : [`mailed ${formatDate(ballot.mailedOn)}`]),
      ballot.status,
    ].join(', '),
  ]);
  if (rows.length === 0)
    rows.push(['Ballot', 'none: no mail-piece file of this account contains this barcode']);
  return [...rows, ['Scans', String(scans)]];
}

function toJson(imb: Imb, direction: string | null, known: KnownPiece | null): object {
  return {
    barcode_id: imb.barcodeId,
    service_type: imb.serviceType,
    mailer_id: imb.mailerId,
    serial_number: imb.serial,
    routing_code: imb.routing,
    tracking_code: imb.trackingCode,
    bars: toBars(imb),
    direction,
    ...(known && {
      ballots: known.ballots.map((ballot) => ({
        registration_id: ballot.registrationId,
        election: ballot.election,
        ballot_number: ballot.ballotNumber,
        direction: ballot.direction,
        mailed_on: ballot.mailedOn,
        status: ballot.status,
      })),
      scans: known.scans,
    }),
  };
}
