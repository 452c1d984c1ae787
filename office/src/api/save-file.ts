import type { SavedFile } from './client.ts';

/** Has the browser save a file, as a link to one does. */
export function saveFile({ name, content }: SavedFile): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
