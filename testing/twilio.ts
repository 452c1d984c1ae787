import { createHmac } from 'node:crypto';

/** As Twilio signs a form: the address, then each name with its values, in order. */
export function signAsTwilio(authToken: string, url: string, form: string): string {
  const pairs = [...new Set([...new URLSearchParams(form)].map(([name, value]) => name + value))];
  const text = `${url}${pairs.sort().join('')}`;
  return createHmac('sha1', authToken).update(text).digest('base64');
}
