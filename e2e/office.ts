import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

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
  /** Runs the command line as the office's operator; throws unless it succeeds. @returns standard output */
  beacon(...parameters: string[]): Promise<string>;
  /** Writes a file for a command. @returns its path */
  write(name: string, content: string): string;
  /** Applies the account file again, with these settings instead. */
  apply(settings: object): Promise<void>;
  close(): void;
}

const cli = fileURLToPath(new URL('../server/src/cli.ts', import.meta.url));
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

  const write = (name: string, content: string) => {
    const file = path.join(folder, name);
    writeFileSync(file, content);
    return file;
  };
  const beacon = (...parameters: string[]) => runCommand(folder, parameters);
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
    ['1', 'Spring Election', '2026-03-10', 'false'],
    ['2', 'Winter Election', '2030-12-10', 'true'],
  ] as const;
  const roll = `registration_id,firstname,lastname,birthdate,address,city,state,zipcode,county
M-1,${voter.firstname},${voter.lastname},1975-07-09,12 Harbor Lane,Marlowe Springs,FL,${voter.zipcode},Marlowe
`;
  await Promise.all([
    ...elections.map(([number, name, date, isActive]) =>
      beacon(
        ...['election', 'set', ...of, '--number', number, '--name', name],
        ...['--date', date, '--active', isActive],
      ),
    ),
    beacon('import', write('voters.csv', roll), ...of, '--format', 'beacon-voters'),
  ]);
  const ballots = `${ballotHeader}
1,M-1,Accepted,02/01/2026,02/20/2026,1,,,,FALSE,FALSE
2,M-1,Outbound,11/01/2026,,1,,,,FALSE,FALSE
`;
  await beacon(
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

/** Runs the command line in a folder. @returns standard output and error */
export function runCommand(folder: string, parameters: readonly string[]): Promise<string> {
  // The product's own data folder: a command finds the running server's database by it.
  const env = { ...process.env, BEACON_DATA: process.env.E2E_DATA, BEACON_OPERATOR: 'journey' };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cli, ...parameters], { env, cwd: folder });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0
        ? resolve(said)
        : reject(new Error(`beacon ${parameters.join(' ')} ended with ${code}:\n${said}`)),
    );
  });
}
