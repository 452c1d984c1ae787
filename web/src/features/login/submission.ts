/** What a submit needs: fetched at the first sign of use, as it brings the contract's schemas along. */
export { checkEntries } from './credentials.ts';
export { signIn } from './sign-in.ts';
