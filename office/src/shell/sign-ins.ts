import { createTabChannel } from './tab-channel.ts';

const signIns = createTabChannel<number>('beacon-office-sign-in');

/** Says to the other tabs and windows of this browser, which share its session, who has just signed in. */
export function announceSignIn({ person_id: id }: { readonly person_id: number }): void {
  signIns.send(id);
}

/** Calls back with the number of a person who signed in. @returns how to stop */
export const onSignIn = signIns.listen;
