import { contactCodeLifetimeMs } from '@ballot-beacon/contract/messages';
import { recall, remember } from '../../shell/tab-memory.ts';

/** That this voter asked for a contact code just now. Logging out discards it, and so does the right code. */
export function rememberCodeAsked(voterId: number): void {
  remember('codeAsked', `${voterId} ${Date.now()}`);
}

/** Whether a code that this voter asked for can still be typed. */
export function canTypeCode(voterId: number): boolean {
  const [whose, at] = recall('codeAsked')?.split(' ') ?? [];
  return whose === String(voterId) && Date.now() - Number(at) < contactCodeLifetimeMs;
}
