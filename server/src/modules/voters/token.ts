/** Bits that a security token must have at least (NIST SP 800-63B-4, 3.1.2: look-up secrets). */
const leastBits = 20;

/** A token without what people read or type differently: case, spaces, dashes. It is hashed in this form. */
export function normalizeToken(token: string): string {
  return token
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}\p{Cf}_\u2212]/gu, '')
    .normalize('NFKC'); // capitals come apart, and what stood apart meets
}

/**
 * Why a security token is too easy to guess, in words for the person who made the file; undefined when it is not.
 * Its strength is counted as if its characters were drawn at random; runs such as 1111 or 1234 count as one character.
 *
 * @param known what stands on the roll or the envelope and so is no secret, such as voter ID and birth date
 */
export function findTokenWeakness(
  token: string,
  known: readonly string[] = [],
): string | undefined {
  const letters = [...normalizeToken(token)];
  const plain = letters.join('');
  const secret = bare(token);
  // A date may be written with the year first or last.
  const isKnown = known
    .map(bare)
    .some(
      (one) =>
        one !== '' &&
        [one, one.slice(4) + one.slice(0, 4), one.slice(-4) + one.slice(0, -4)].includes(secret),
    );
  if (isKnown) {
    return 'is also the voter ID, the birth date or the ZIP code, which others can know. Use a random token.';
  }
  let effective = 0;
  let previousStep: number | undefined;
  for (const [index, letter] of letters.entries()) {
    const before = letters[index - 1];
    const step = before === undefined ? undefined : code(letter) - code(before);
    const isRun =
      step !== undefined && Math.abs(step) <= 1 && (step === 0 || step === previousStep);
    if (!isRun) effective += 1;
    previousStep = step;
  }
  const kinds = [/[0-9]/, /[A-Z]/, /[^0-9A-Z]/].map((pattern) => pattern.test(plain));
  const alphabet = [10, 26, 10].reduce((sum, size, index) => sum + (kinds[index] ? size : 0), 0);
  const bits = effective * Math.log2(Math.max(1, alphabet));
  if (bits >= leastBits) return undefined;
  return 'is too easy to guess. Use at least 7 random digits, 5 random letters, or 4 random letters and digits mixed.';
}

const bare = (text: string) => normalizeToken(text).replaceAll(/[^\p{L}\p{N}]/gu, '');
const code = (letter: string) => letter.codePointAt(0) ?? 0;
