import { Resolver } from 'node:dns/promises';
import type { Command } from 'commander';
import { recordFindings } from '../modules/audit/index.ts';
import {
  askClockOffset,
  type Examination,
  examineInstallation,
  type Finding,
} from '../modules/doctor/index.ts';
import { readChannelSettings } from '../modules/notifications/index.ts';
import { ConfigError } from '../platform/config.ts';
import { createLog, plainText } from '../platform/log.ts';
import type { Database } from '../platform/postgres.ts';
import { type CommandContext, CommandError, exitCodes } from './context.ts';

export function register(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description('say what is still unsafe about this installation; exit status 1 if anything is')
    .option('--json', 'as one JSON document')
    .action(async ({ json }: { json?: true }) => {
      const findings = await examine(context);
      logFindings(context, findings);
      if (json) context.printJson(findings);
      else if (findings.length === 0) context.print('Nothing unsafe was found.');
      else
        for (const { id, problem, fix } of findings)
          context.print(`${problem}\n  ${fix}\n  (${id})`);
      if (findings.length > 0)
        throw new CommandError(`${findings.length} unsafe: see above.`, exitCodes.failed);
    });
}

async function examine(context: CommandContext) {
  const config = context.readConfig();
  const parts: Omit<Examination, 'database'> = {
    config,
    channels: readChannels(context),
    resolver: new Resolver({ timeout: 3_000, tries: 2 }),
    askClockOffset: () => askClockOffset(...readTimeServer(config.timeServer)),
    now: context.clock.now(),
    backupStamp: config.backupStamp,
    acceptsAnyCertificate: context.readSetting('NODE_TLS_REJECT_UNAUTHORIZED') === '0',
  };
  const lookInto = async (database: Database) => {
    const findings = await examineInstallation({ ...parts, database });
    await recordFindings(
      database.system,
      context.operator,
      findings.map(({ id }) => id),
    );
    return findings;
  };
  try {
    return await context.withDatabase(lookInto);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return examineInstallation({ ...parts, database: undefined, databaseProblem: error.message });
  }
}

/** For the log: run by a timer, standard error is where logs go. In a terminal a person reads the list. */
function logFindings(context: CommandContext, findings: readonly Finding[]): void {
  if (context.terminal) return;
  const log = createLog(context.readConfig().logLevel, {
    write: (line) => context.writeError(line),
  });
  for (const { id } of findings) {
    log.write('security.event', {
      kind: 'doctor-finding',
      network: 'none',
      account: null,
      target: plainText(id),
      count: 1,
    });
  }
}

function readChannels(context: CommandContext) {
  try {
    return readChannelSettings(context.readSetting);
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandError(error.message);
    throw error;
  }
}

/** A name or address, with a port behind a colon where it is not NTP's own. */
function readTimeServer(text: string): [host: string, port?: number] {
  const [, host, port] = /^([^:]+):(\d+)$/.exec(text) ?? [];
  return host === undefined ? [text] : [host, Number(port)];
}
