import { createHmac } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** As Twilio signs a form: the address, then each name with its values, in order. */
export function signAsTwilio(authToken: string, url: string, form: string): string {
  const pairs = [...new Set([...new URLSearchParams(form)].map(([name, value]) => name + value))];
  const text = `${url}${pairs.sort().join('')}`;
  return createHmac('sha1', authToken).update(text).digest('base64');
}

/** The settings of a Twilio that a test serves itself. */
export function readTwilioSettings(server: Server) {
  const { port } = server.address() as AddressInfo;
  return {
    ...{ TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 'secret' },
    TWILIO_API_URL: `http://127.0.0.1:${port}`,
  };
}
