/** Puts the separators in for those who typed bare digits, and turns a browser's `1968-04-21` around. */
export function tidyBirthdate(text: string): string {
  const trimmed = text.trim();
  const bare = /^(\d{2})(\d{2})(\d{4})$/.exec(trimmed);
  if (bare) return `${bare[1]}-${bare[2]}-${bare[3]}`;
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(trimmed);
  return iso ? `${iso[2]}-${iso[3]}-${iso[1]}` : trimmed;
}
