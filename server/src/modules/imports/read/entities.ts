const named: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
};

/** A character as pages and XML write it: `&#39;`, `&#x27;`, `&apos;`; or `&amp;#39;`, where a program wrote it so twice. */
const entity = /&(?:amp;)*(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi;

/** Replaces what stands for a character by it; what stands for none that a text may have stays. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(entity, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? whole;
    const character = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const isText =
      character >= 0x20 && character <= 0x10_ff_ff && (character & 0x1f_f8_00) !== 0xd8_00;
    return isText ? String.fromCodePoint(character) : whole;
  });
}
