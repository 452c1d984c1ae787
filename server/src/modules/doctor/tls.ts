import { connect } from 'node:tls';
import type { Finding } from './findings.ts';

const patienceMs = 5_000;
const leastDays = 14;
const dayMs = 86_400_000;

/**
 * Whether voters' browsers accept the site's certificate, and for how long.
 *
 * @param name what voters go to at this address: that of the site, or that of an office
 * @param authorities PEM of an authority of the office's own; left out: those that browsers trust
 */
export function checkCertificate(
  { hostname, port }: URL,
  name: string,
  now: Date,
  authorities?: string,
): Promise<Finding | undefined> {
  const id = 'tls.certificate';
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname,
      port: Number(port || 443),
      servername: name,
      minVersion: 'TLSv1.2',
      timeout: patienceMs,
      ...(authorities !== undefined && { ca: authorities }),
    });
    const finish = (finding: Finding | undefined) => {
      socket.destroy();
      resolve(finding);
    };
    const refused = (reason: string) =>
      finish({
        id,
        problem: `No safe connection to ${name} could be made (${reason}).`,
        fix: 'Check that PUBLIC_URL leads to your proxy, and that its certificate is valid for the site and every office, as one for *.BASE_DOMAIN is.',
      });
    socket.once('error', (error: NodeJS.ErrnoException) => refused(error.code ?? error.name));
    socket.once('timeout', () => refused('no answer'));
    socket.once('secureConnect', () => {
      const days = Math.floor(
        (Date.parse(socket.getPeerCertificate().valid_to) - now.getTime()) / dayMs,
      );
      if (days >= leastDays) return finish(undefined);
      finish({
        id,
        problem: `The certificate of ${name} ends in ${days} days.`,
        fix: 'Renew it, and see that it is renewed by itself.',
      });
    });
  });
}
