/**
 * Hashes tokens for the worker, one after the other (see strengthener.ts). It is given no setting, and so has neither key
 * nor database.
 */
import process from 'node:process';
import { strengthenTokenHash } from './token-hash.ts';

process.once('disconnect', () => process.exit());
process.on('message', async (stored: string) => {
  process.send?.((await strengthenTokenHash(stored)) ?? null);
});
