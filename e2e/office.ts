import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import type { CommandReply, CommandRequest } from '../testing/command-process.ts';
import { asOfNow } from '../testing/demo-days.ts';

/** An election office of a journey's own on the server under test: what is changed there disturbs nobody else. */
export interface Office {
  readonly subdomain: string;
  /** Where its page is, without a slash at the end. */
  readonly url: string;
  /** What its one voter types. */
  readonly typed: {
    readonly firstname: string;
    readonly lastname: string;
    readonly zipcode: string;
    readonly birthdate: string;
  };
  /**
   * Runs the command line as the office's operator, until the server shows what it changed; throws unless it succeeds.
   *
   * @returns standard output and error
   */
  beacon(...parameters: string[]): Promise<string>;
  /** Writes a file for a command. @returns its path */
  write(name: string, content: string): string;
  /** Applies the account file again, with these settings instead, until the server shows them. */
  apply(settings: object): Promise<void>;
  close(): void;
}

const voter = {
  firstname: 'Ines',
  lastname: 'Marlowe',
  zipcode: '32001',
  birthdate: '07-09-1975',
} as const;

/**
 * Makes an office with one voter, whose ballot of the current election has been sent and of the last one accepted.
 *
 * @param settings beside the required ones of an account file.
 */
export async function openOffice(
  baseURL: string | undefined,
  settings: object = {},
): Promise<Office> {
  const folder = mkdtempSync(path.join(tmpdir(), 'beacon-office-'));
  const subdomain = `office-${randomBytes(5).toString('hex')}`;
  const { port } = new URL(baseURL ?? '');

  /** Runs a command. What an office shows is new only once the server has looked for changes again. */
  const beacon = async (...parameters: string[]) => {
    if (!changesContent(parameters)) return runCommand(...parameters);
    const before = await readContentTag(subdomain, port);
    const output = await runCommand(...parameters);
    await expect.poll(() => readContentTag(subdomain, port)).not.toBe(before);
    return output;
  };
  const write = (name: string, content: string) => {
    const file = path.join(folder, name);
    writeFileSync(file, content);
    return file;
  };
  const apply = async (changed: object) => {
    const account = {
      subdomain,
      name: 'Marlowe County Elections',
      county: 'Marlowe',
      state: 'FL',
      time_zone: 'America/New_York',
      languages: ['english', 'spanish'],
      contact_phone: '+13525550123',
      contact_email: 'help@marlowe.example',
      from_voice: '+13525550177',
      ...changed,
    };
    await beacon('account', 'apply', write('account.json', JSON.stringify(account)));
  };

  await apply(settings);
  const of = ['--account', subdomain];
  const elections = [
    ['1', 'Spring Election', asOfNow('2026-03-10'), 'false'],
    ['2', 'Winter Election', asOfNow('2026-12-10'), 'true'],
  ] as const;
  const roll = `registration_id,firstname,lastname,birthdate,address,city,state,zipcode,county
M-1,${voter.firstname},${voter.lastname},1975-07-09,12 Harbor Lane,Marlowe Springs,FL,${voter.zipcode},Marlowe
`;
  await Promise.all([
    ...elections.map(([number, name, date, isActive]) =>
      runCommand(
        ...['election', 'set', ...of, '--number', number, '--name', name],
        ...['--date', date, '--active', isActive],
      ),
    ),
    runCommand('import', write('voters.csv', roll), ...of, '--format', 'beacon-voters'),
  ]);
  const ballots = asOfNow(`${ballotHeader}
1,M-1,Accepted,02/01/2026,02/20/2026,1,,,,FALSE,FALSE
2,M-1,Outbound,11/01/2026,,1,,,,FALSE,FALSE
`);
  await runCommand(
    ...['import', write('ballots.csv', ballots), ...of, '--format', 'voter-focus-ballots'],
  );

  return {
    subdomain,
    url: `http://${subdomain}.localhost:${port}`,
    typed: voter,
    beacon,
    write,
    apply,
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const ballotHeader =
  'ElectionNumber,VoterID,BallotStatus,MailedDate,ReturnedDate,VbmRequestPrecinct,VbmParty,RejectionReason,RejectionDescription,IsReinstated,IsSignatureRelatedReason';

/** Whether a command changes what every visitor of an office sees. */
function changesContent([subject = '', verb]: readonly string[]): boolean {
  const subjects = ['account', 'alert', 'faq', 'release-note', 'translation'];
  return subjects.includes(subject) && verb !== 'list';
}

/** @returns a tag that changes whenever a visitor of the office would see other content */
async function readContentTag(subdomain: string, port: string): Promise<string | undefined> {
  const host = `${subdomain}.localhost:${port}`;
  const options = { host: 'localhost', port, path: '/api/voter/branding', headers: { host } };
  const headers = await new Promise<IncomingHttpHeaders>((resolve, reject) => {
    get(options, (answer) => {
      const { statusCode, headers } = answer.resume();
      if (statusCode === 200) resolve(headers);
      else reject(new Error(`The office's branding was answered with ${statusCode}.`));
    }).on('error', reject);
  });
  return headers.etag;
}

let commands: ChildProcess | undefined;
let commandCount = 0;

/** Runs a command; name files by their whole path. @returns standard output and error; throws unless it succeeds */
export function runCommand(...parameters: string[]): Promise<string> {
  // The product's own data folder: a command finds the running server's database by it.
  const env = { ...process.env, BEACON_DATA: process.env.E2E_DATA, BEACON_OPERATOR: 'journey' };
  commands ??= fork(fileURLToPath(new URL('../testing/command-process.ts', import.meta.url)), {
    env,
  });
  const running = commands;
  // Each waiting command listens.
  running.setMaxListeners(0);
  const request: CommandRequest = { number: commandCount++, parameters };
  return new Promise((resolve, reject) => {
    const hear = ({ number, exitCode, output }: CommandReply) => {
      if (number !== request.number) return;
      running.off('message', hear);
      if (exitCode === 0) resolve(output);
      else reject(new Error(`beacon ${parameters.join(' ')} ended with ${exitCode}:\n${output}`));
    };
    running.on('message', hear);
    running.once('exit', () => reject(new Error('The process that runs commands has ended.')));
    running.send(request);
  });
}
