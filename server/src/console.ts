import { officeCalls } from '@ballot-beacon/contract/office/calls';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { registerApprovalRoutes } from './modules/approvals/index.ts';
import type { SecurityEvents } from './modules/audit/index.ts';
import { registerFixQueueRoutes } from './modules/fix-queue/index.ts';
import { registerMisuseRoutes } from './modules/misuse/index.ts';
import { registerOfficeLogRoutes } from './modules/office-log/index.ts';
import {
  registerAppearanceRoutes,
  registerDeadlineRoutes,
  registerElectionRoutes,
  registerImageRoutes,
  registerOfficeFlagRoutes,
  registerOfficeSettingsRoutes,
} from './modules/office-settings/index.ts';
import { registerOverviewRoutes } from './modules/overview/index.ts';
import {
  createOfficeCookies,
  createOfficeVisits,
  registerPeopleRoutes,
} from './modules/people/index.ts';
import { registerCodeRoutes } from './modules/qr-codes/index.ts';
import { registerReportRoutes } from './modules/reports/index.ts';
import { registerScanPushRoutes } from './modules/scan-push/index.ts';
import { registerOfficeMessageRoutes } from './modules/sent-messages/index.ts';
import type { Sites } from './modules/sites/index.ts';
import { type FileKeys, registerUploadRoutes } from './modules/uploads/index.ts';
import {
  registerVoterRecordRoutes,
  registerVoterSignInRoutes,
} from './modules/voter-records/index.ts';
import type { TokenKeys } from './modules/voters/index.ts';
import {
  type BuiltConsole,
  type RenderPage,
  registerConsoleRoutes,
} from './modules/web-app/index.ts';
import { registerWordsRoutes } from './modules/words/index.ts';
import { createCallBinder } from './platform/call-binder.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import { collectMessages, type ValidationIssue } from './platform/http.ts';
import type { Log } from './platform/log.ts';
import type { Database } from './platform/postgres.ts';
import { type ProblemError, problem } from './platform/problem.ts';
import type { Secrets } from './platform/secrets.ts';

export interface ConsoleParts {
  readonly config: Config;
  readonly database: Database;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly sites: Sites;
  readonly securityEvents: SecurityEvents;
  readonly fileKeys: FileKeys;
  readonly tokenKeys: TokenKeys;
  /** Says that an uploaded file has work to be done. */
  readonly wake: () => void;
  /** Left out, its calls are served alone. */
  readonly builtConsole?: BuiltConsole;
  /** Of voters' pages, on which drafts are looked at. */
  readonly render: RenderPage | undefined;
}

/** The console, for the people who work in an office: its calls and its files. */
export function registerConsole(app: FastifyInstance, parts: ConsoleParts): void {
  const cookies = createOfficeCookies();
  const office = createCallBinder(app, officeCalls, createOfficeVisits({ ...parts, cookies }));
  registerPeopleRoutes(office, { ...parts, cookies });
  registerOverviewRoutes(office, parts);
  registerApprovalRoutes(office, parts);
  registerUploadRoutes(office, parts);
  registerVoterRecordRoutes(office, parts);
  registerVoterSignInRoutes(office, parts);
  registerFixQueueRoutes(office, parts);
  registerReportRoutes(office, parts.sites);
  registerCodeRoutes(office, parts);
  registerOfficeLogRoutes(office);
  registerOfficeSettingsRoutes(office);
  registerImageRoutes(office);
  registerAppearanceRoutes(office, parts);
  registerElectionRoutes(office);
  registerDeadlineRoutes(office);
  registerOfficeFlagRoutes(office);
  registerMisuseRoutes(office, parts);
  registerScanPushRoutes(office, parts);
  registerOfficeMessageRoutes(office, parts);
  registerWordsRoutes(office, parts);
  if (parts.builtConsole) registerConsoleRoutes(app, parts.builtConsole);
}

/** What the schema refused of a call of the console, whose texts are the contract's own; undefined for other calls. */
export function explainConsoleIssues(
  request: FastifyRequest,
  issues: readonly ValidationIssue[],
): Promise<ProblemError> | undefined {
  if (!request.url.startsWith('/api/office/')) return undefined;
  const validationMessages = collectMessages(issues);
  return Promise.resolve(problem(422, 'Failed Validation', { validationMessages }));
}
