import { Readable } from 'node:stream';
import { flagCatalog } from '@ballot-beacon/contract/flags';
import { problem, refuseField } from '../../platform/problem.ts';
import {
  correctAccentColor,
  findAccount,
  type HexColor,
  lockAccount,
  reviewAccountFile,
} from '../accounts/index.ts';
import { pageOfficeAudit, type RecordedAuditEntry } from '../audit/index.ts';
import { readFaq } from '../content/index.ts';
import {
  changeFlag,
  defineState,
  readFlagChange,
  readFlagDefinitions,
  stateOf,
} from '../flags/index.ts';
import { nameActors, type OfficeApi } from '../people/index.ts';
import type { AccountSite, Sites } from '../sites/index.ts';
import { type RenderPage, renderPreview } from '../web-app/index.ts';
import { applyReview } from './apply-review.ts';
import { readFlagEntries, undoFlag } from './flag-routes.ts';

const outage = 'voterOutage';
/** So many changes of settings are looked through for those of the color. */
const historyLength = 100;
const mostChanges = 20;

interface Parts {
  readonly sites: Sites;
  /** Renders voters' pages; undefined where only calls are served. */
  readonly render: RenderPage | undefined;
}

/** The office's color and its outage notice, for the people who write its words. The rules are those of settings and switches. */
export function registerAppearanceRoutes(api: OfficeApi, { sites, render }: Parts): void {
  api.answer('getAppearance', async ({ db, account: { accountId } }) => {
    const [account, definitions, settings, flags] = [
      await findAccount(db, accountId),
      await readFlagDefinitions(db),
      await pageOfficeAudit(db, { nouns: ['account'], timeZone: 'UTC' }, historyLength),
      await readFlagEntries(db),
    ];
    if (!account) throw new Error('The account is gone.');
    const colors = settings.flatMap((one) => onRecord(one, colorChangeOf(one)));
    const notices = flags.flatMap((one) =>
      onRecord(one, one.target === outage ? readFlagChange(one) : undefined),
    );
    const actors = [...colors, ...notices].map(({ entry }) => entry.actor);
    const nameOf = await nameActors(db, actors);
    const show = <State>({ entry, from, to }: OnRecord<State>) => ({
      ...{ audit_id: entry.auditId, at: entry.at.toISOString(), who: nameOf(entry.actor) },
      ...{ from, to },
    });
    return {
      color: {
        now: account.settings.accent_color,
        changes: colors.slice(0, mostChanges).map(show),
      },
      outage: {
        state: stateOf(definitions[outage] ?? null),
        default_value: flagCatalog[outage].defaultValue,
        is_elsewhere: account.settings.launchdarkly_client_id != null,
        changes: notices.slice(0, mostChanges).map(show),
      },
    };
  });

  api.answer('changeColor', (visit, { body: { from, to } }) =>
    visit.db.transaction().execute(async (tx) => {
      const account = await lockAccount(tx, visit.account.accountId);
      if (account.settings.accent_color !== from)
        throw problem(409, 'Somebody changed the color meanwhile. Look at it again.');
      const review = reviewAccountFile(account, JSON.stringify({ accent_color: to }));
      if (!review.ok) throw refuseField('to', review.problems[0]?.message ?? 'is not a color');
      await applyReview(tx, visit, review);
      return undefined;
    }),
  );

  api.answer('setOutage', ({ db, account: { accountId }, session: { actor } }, { body }) =>
    db.transaction().execute(async (tx) => {
      await changeFlag(tx, { accountId, actor }, outage, defineState(body.to));
      return undefined;
    }),
  );

  api.answer('undoOutage', ({ db, account: { accountId }, session: { actor } }, { body }) =>
    db.transaction().execute(async (tx) => {
      await undoFlag(tx, { accountId, actor }, outage, body.audit_id);
      return undefined;
    }),
  );

  api.answer('previewAppearance', async ({ account, now }, { query, reply }) => {
    const site = await sites.ofAccountNow(account.accountId);
    if (!render || !site) throw problem(404, 'Pages are not served here.');
    const { language, screen, color, outage: notice } = query;
    const preview = await renderPreview(render, {
      site: withAppearance(site, color as HexColor | undefined, notice),
      faq: await readFaq(site, language, sites.catalog),
      ...{ language, screen, now },
    });
    reply.header('content-security-policy', preview.policy);
    return Readable.from([preview.html]);
  });
}

/** The site as it would be. */
function withAppearance(
  site: AccountSite,
  color: HexColor | undefined,
  notice: 'on' | 'off' | undefined,
): AccountSite {
  const { branding, flags } = site;
  return {
    ...site,
    branding: color ? { ...branding, accent_color: correctAccentColor(color) } : branding,
    flags: {
      ...flags,
      evaluateAll: (context) => ({
        ...flags.evaluateAll(context),
        ...(notice && { [outage]: notice === 'on' }),
      }),
    },
  };
}

interface OnRecord<State> {
  readonly entry: RecordedAuditEntry;
  readonly from: State;
  readonly to: State;
}

function onRecord<State>(
  entry: RecordedAuditEntry,
  change: { readonly from: State; readonly to: State } | undefined,
): OnRecord<State>[] {
  return change ? [{ entry, from: change.from, to: change.to }] : [];
}

/** What `account.apply` recorded of the color, by the console and by the command alike. */
function colorChangeOf({ details }: RecordedAuditEntry) {
  const { accent_color: change } = details as {
    /** An account that was created had no color before. */
    readonly accent_color?: { readonly from?: string; readonly to: string };
  };
  return change?.from === undefined ? undefined : { from: change.from, to: change.to };
}
