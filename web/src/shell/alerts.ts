import type { TextValues, Translate } from '@ballot-beacon/contract/translate';

export type AlertType = 'error' | 'notice' | 'success';

/** A line of an alert: a key, so that it follows a change of language, or the server's own words. */
export type AlertMessage = (
  | { readonly key: string; readonly values?: TextValues }
  | { readonly text: string }
) & {
  /** Shown as a label above the others. */
  readonly important?: boolean;
  readonly href?: string;
};

export interface Alert {
  readonly type: AlertType;
  readonly messages: readonly AlertMessage[];
}

export function wordsOf(message: AlertMessage, t: Translate): string {
  return 'text' in message ? message.text : t(message.key, message.values);
}

/** After a log-out that the voter asked for. */
export const loggedOutAlert: Alert = { type: 'success', messages: [{ key: 'app.loggedOut' }] };

/** Why a voter is back at the login although nobody logged out. */
export const sessionExpiredAlert: Alert = {
  type: 'notice',
  messages: [{ key: 'app.sessionExpired', important: true }, { key: 'app.sessionExpiredText' }],
};

/** The text for any failure without a more specific text (product spec §8, Login, "Any other"). */
export function oopsAlert(errorId?: string): Alert {
  // Without a connection nothing went wrong on our end.
  if (globalThis.navigator?.onLine === false)
    return { type: 'error', messages: [{ key: 'app.offline', important: true }] };
  const messages: AlertMessage[] = [{ key: 'app.oops', important: true }];
  if (errorId) messages.push({ key: 'app.oopsId', values: { id: errorId } });
  return { type: 'error', messages };
}

/** After a sign-in that was answered, and whose data could not be had. */
export function signInLostAlert(): Alert {
  return navigator.cookieEnabled
    ? oopsAlert()
    : { type: 'error', messages: [{ key: 'app.noCookies' }] };
}
