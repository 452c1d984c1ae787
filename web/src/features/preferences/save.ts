import type { Branding } from '@ballot-beacon/contract/branding';
import { type Channel, channels } from '@ballot-beacon/contract/messages';
import type { ValidationMessages } from '@ballot-beacon/contract/problem';
import type { PreferencesPatch, VoterInformation } from '@ballot-beacon/contract/voter-information';
import { call, type Failure, type Refusal } from '../../api/client.ts';
import {
  type Alert,
  type AlertMessage,
  oopsAlert,
  sessionExpiredAlert,
} from '../../shell/alerts.ts';
import { formatPhone } from '../../shell/support-notice.tsx';
import { tooManyAlert } from '../../shell/too-many-alert.ts';
import type { SaveOutcome } from './preferences.machine.ts';

export type ContactOfOffice = Pick<Branding, 'short_code' | 'from_voice'> & {
  /** The ways in which it sends news. */
  readonly offered: ReadonlySet<string>;
};

/** The lines that say when a request comes; a call asks nobody to confirm. */
const laterKeys = {
  sms: 'preferences.saved.smsAt',
  email: 'preferences.saved.emailAt',
} as const;

/** Sends the preferences and says what the page must show (product spec §8, Preferences update). */
export async function savePreferences(
  patch: PreferencesPatch,
  office: ContactOfOffice,
  isFirst: boolean,
  timeOf: (when: string) => string,
): Promise<SaveOutcome> {
  const outcome = await call('updatePreferences', { body: patch });
  if (outcome.kind === 'answered')
    return {
      type: 'SUCCESS',
      voter: outcome.answer,
      alerts: alertsOfSave(outcome.answer, office, isFirst, timeOf),
    };
  return readTrouble(outcome);
}

/**
 * What a saved form says: that it is saved, and all that the voter still has to do for news to come.
 *
 * @param isFirst saved for the first time
 * @param timeOf the time of a timestamp as the page writes it
 */
export function alertsOfSave(
  voter: VoterInformation,
  office: ContactOfOffice,
  isFirst: boolean,
  timeOf: (when: string) => string,
): readonly Alert[] {
  const alerts: Alert[] = [{ type: 'success', messages: [{ key: 'preferences.saved.done' }] }];
  const isOn = (channel: Channel) => office.offered.has(channel) && voter[`${channel}_opt_in`];
  if (!channels.some(isOn))
    alerts.push({
      type: 'notice',
      messages: [
        { key: 'preferences.saved.optedOut' },
        ...(isFirst ? [{ key: 'preferences.saved.noAlerts' }] : []),
      ],
    });

  const toDo: AlertMessage[] = [];
  const ask = (channel: 'sms' | 'email', message: AlertMessage) => {
    const request = voter.requests?.find((waiting) => waiting.channel === channel);
    toDo.push(message);
    // A window of hours opens once a day, so that the time alone says when.
    if (request)
      toDo.push({ key: laterKeys[channel], values: { time: timeOf(request.deliver_after) } });
  };
  if (isOn('sms') && voter.sms_status === 'pending')
    ask('sms', { key: 'preferences.saved.sms', values: { code: office.short_code } });
  if (isOn('email') && voter.is_valid_email === null)
    ask('email', { key: 'preferences.saved.email', values: { email: voter.email } });
  if (isOn('voice') && voter.pending_voice && office.from_voice)
    toDo.push({
      key: 'preferences.saved.voice',
      values: { phone: formatPhone(office.from_voice) },
    });
  if (toDo.length > 0)
    alerts.push({
      type: 'notice',
      messages: [{ key: 'preferences.saved.check', important: true }, ...toDo],
    });
  return alerts;
}

export function readTrouble(outcome: Refusal | Failure): SaveOutcome {
  if (outcome.kind === 'failed') {
    const oops = oopsAlert();
    const kept: AlertMessage = { key: 'preferences.failed.kept' };
    return {
      type: 'ERROR',
      alerts: [{ ...oops, messages: [...oops.messages, kept] }],
      validationMessages: {},
    };
  }
  const { problem } = outcome;
  if (problem.status === 403) return { type: 'EXPIRED' };
  if (problem.status === 429) {
    const alert = tooManyAlert(document.documentElement.lang, outcome.retryAfter);
    return { type: 'ERROR', alerts: [alert], validationMessages: {} };
  }
  const validationMessages = problem.validation_messages ?? {};
  const label = labelOf(problem.detail);
  const refusal = label
    ? error({ key: label, important: true }, ...linesOf(validationMessages))
    : oopsAlert(problem.err_id);
  const alerts = problem.status === 422 ? [notice(notUpdated), refusal] : [refusal];
  return { type: 'ERROR', alerts, validationMessages };
}

const notUpdated: AlertMessage = { key: 'preferences.refused.notUpdated' };

/** The session ended before the save: signing in again brings back what is stored, not what was typed. */
export const expiredAtSave: Alert = {
  ...sessionExpiredAlert,
  messages: [...sessionExpiredAlert.messages, notUpdated],
};

/** The heading over the server's messages; null for a failure that is none of the voter's doing. */
function labelOf(detail: string): string | null {
  if (detail === 'Contact between times must be different') return 'preferences.refused.hours';
  if (/^SMS opted out/i.test(detail)) return 'preferences.refused.sms';
  if (detail.startsWith('Email validation failed')) return 'preferences.refused.email';
  return detail === 'Failed Validation' ? 'preferences.refused.validation' : null;
}

function linesOf(messages: ValidationMessages): AlertMessage[] {
  const texts = Object.values(messages).flatMap((byRule) => Object.values(byRule));
  return [...new Set(texts)].map((text) => ({ text }));
}

const error = (...messages: AlertMessage[]): Alert => ({ type: 'error', messages });
const notice = (...messages: AlertMessage[]): Alert => ({ type: 'notice', messages });
