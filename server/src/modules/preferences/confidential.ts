import type { VoterInformation } from '@ballot-beacon/contract/voter-information';
import { problem } from '../../platform/problem.ts';
import type { Account } from '../accounts/index.ts';
import type { Session } from '../sessions/index.ts';

/**
 * A confidential voter as the page shows one: a name and nothing that says where the voter lives or can be reached.
 * State and county are the office's own, because flags are asked for by them.
 */
export function withoutDetails(
  voter: VoterInformation,
  { state, county }: Pick<Account, 'state' | 'county'>,
): VoterInformation {
  return {
    ...voter,
    birthyear: null,
    address: '',
    city: '',
    zipcode: '',
    state,
    county,
    email: '',
    phone_sms: '',
    phone_voice: '',
    pending_voice: '',
    email_opt_in: false,
    sms_opt_in: false,
    voice_opt_in: false,
    is_confirmed: true,
    is_confidential: true,
  };
}

/** @throws 409 for a confidential voter, whose choices no message would follow */
export function refuseConfidential({ isConfidential }: Pick<Session, 'isConfidential'>): void {
  if (isConfidential) throw problem(409, 'Confidential voters get no messages.');
}
