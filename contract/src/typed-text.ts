/** The zeros of the scripts whose keyboards our voters may have, each followed by its nine other digits. */
const zeros = ['\u0660', '\u06f0', '\u0966', '\u09e6', '\u0e50', '\u17e0', '\uff10'];

/** Digits of other scripts as 0 to 9. */
export function plainDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (digit) => {
    const code = digit.charCodeAt(0);
    const zero = zeros
      .map((one) => one.charCodeAt(0))
      .find((first) => code - first < 10 && code >= first);
    return zero === undefined ? digit : String(code - zero);
  });
}

/** A code out of letters and digits as typed on any keyboard, without its spaces and dashes. */
export function plainCode(typed: string): string {
  return plainDigits(typed.normalize('NFKC')).replaceAll(/[\s\p{Dash}]/gu, '');
}
