import { decodeBars, encodeBars } from './imb-bars.ts';

/** The fields of an Intelligent Mail barcode (USPS-B-3200, 2.1.3). */
export interface Imb {
  /** Two digits, the second 0 to 4. */
  readonly barcodeId: string;
  /** Service type identifier (STID), three digits. */
  readonly serviceType: string;
  /** The sender: six digits, or nine that begin with 9. */
  readonly mailerId: string;
  /** Nine digits, or six after a mailer ID of nine. Not used again for 45 days. */
  readonly serial: string;
  /** The destination: nothing, ZIP (5), ZIP+4 (9) or ZIP+4 with delivery point (11 digits). */
  readonly routing: string;
  /** The first 20 digits, which identify a piece in scans. */
  readonly trackingCode: string;
}

export type ReadImb =
  | { readonly ok: true; readonly imb: Imb }
  /** `problem` continues a sentence that starts with the column: "outbound_imb has 30 digits, …". */
  | { readonly ok: false; readonly problem: string };

const lengths = [20, 25, 29, 31];

/**
 * Reads a barcode from files and people: its 20, 25, 29 or 31 digits, with or without spaces and hyphens
 * between the fields, or its 65 bars as the letters A, D, F and T.
 */
export function readImb(text: string): ReadImb {
  const written = text.trim();
  if (written === '') return refuse('is empty');
  if (/^[ADFTadft]+$/.test(written)) return readBars(written.toUpperCase());
  const digits = written.replace(/[\s-]/g, '');
  if (/^\d+$/.test(digits)) return readDigits(digits);
  if (/^\d+([.,]\d+)?E\+?\d+$/i.test(digits)) {
    return refuse('was rounded by a spreadsheet program: export the column as text');
  }
  const wrong = findWrongCharacter(digits, /\d/g) ?? findWrongCharacter(digits, /[ADFT]/gi);
  if (wrong) return refuse(wrong);
  return refuse('is neither the 20 to 31 digits of a barcode nor its 65 bars A, D, F and T');
}

/** Names the one character that is not of the alphabet; null where there are more, or too few characters. */
function findWrongCharacter(text: string, alphabet: RegExp): string | null {
  const others = text.replace(alphabet, '');
  if (text.length < 20 || [...others].length !== 1) return null;
  return `has ${others} as character ${text.indexOf(others) + 1}, which no barcode has there`;
}

function readDigits(digits: string): ReadImb {
  if (!lengths.includes(digits.length)) {
    const short = lengths.some((length) => digits.length === length - 1);
    return refuse(
      `has ${digits.length} digits, and a barcode has 20, 25, 29 or 31${short ? ' (was a leading zero lost?)' : ''}`,
    );
  }
  if (Number(digits[1]) > 4) {
    return refuse(`has the barcode ID ${digits.slice(0, 2)}, whose second digit must be 0 to 4`);
  }
  const mailerLength = digits[5] === '9' ? 9 : 6;
  const imb: Imb = {
    barcodeId: digits.slice(0, 2),
    serviceType: digits.slice(2, 5),
    mailerId: digits.slice(5, 5 + mailerLength),
    serial: digits.slice(5 + mailerLength, 20),
    routing: digits.slice(20),
    trackingCode: digits.slice(0, 20),
  };
  return { ok: true, imb };
}

function readBars(bars: string): ReadImb {
  if (bars.length !== 65) return refuse(`has ${bars.length} bars, and a barcode has 65`);
  const digits = decodeBars(bars);
  return digits === null
    ? refuse('has a wrong bar: its checksum does not fit, or it stands upside down')
    : readDigits(digits);
}

function refuse(problem: string): ReadImb {
  return { ok: false, problem };
}

/** The 65 bars to print. */
export function toBars({ trackingCode, routing }: Imb): string {
  return encodeBars(`${trackingCode}${routing}`);
}
