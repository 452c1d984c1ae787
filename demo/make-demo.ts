/**
 * Writes the demo's two counties, the same bytes in every run: `npx node demo/make-demo.ts`.
 * `generator/` describes the counties, `cast.ts` the named voters.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cast, firstToTry } from './cast.ts';
import { inventBallots, type MailSeason, standingsAt } from './generator/ballots.ts';
import type { Day } from './generator/calendar.ts';
import { assignCastStories } from './generator/cast-stories.ts';
import { type County, harbor, municipalZipcode, silverLake } from './generator/counties.ts';
import {
  writeBallotStatusFile,
  writeBeaconVoters,
  writeMailPieces,
  writeMasterVoterFile,
} from './generator/files.ts';
import { listMailings } from './generator/mail-pieces.ts';
import { type OwnFile, ownFiles, writeOwnFile } from './generator/own-files.ts';
import { listScans } from './generator/scans.ts';
import { inventRoll, type Voter } from './generator/voters.ts';
import { writeCastTable } from './generator/voters-page.ts';

/** A ballot status file to write: taken at the end of `day`, of these elections, named for `time`. */
interface Snapshot {
  readonly day: Day;
  readonly time: string;
  readonly elections: readonly string[];
}

interface Season extends MailSeason {
  readonly zipcode?: string;
}

interface Plan {
  readonly county: County;
  readonly seasons: readonly Season[];
  readonly snapshots: readonly Snapshot[];
  readonly primaries: readonly string[];
  readonly voterFormat: 'voter-focus-voters' | 'beacon-voters';
  readonly ownFiles: readonly OwnFile[];
  /** The election whose envelopes the post office scans. */
  readonly scannedElection?: string;
}

const generalSeason = {
  electionDay: '2026-11-03',
  overseasMailing: '2026-09-18',
  mailings: [
    ['2026-09-28', 8],
    ['2026-09-30', 2],
  ],
  lastRequest: '2026-10-22',
  returnShare: 0.86,
  daysOut: [6, 34],
} as const;

const decemberSeason = {
  electionDay: '2026-12-08',
  overseasMailing: '2026-10-23',
  mailings: [
    ['2026-10-30', 7],
    ['2026-11-02', 3],
  ],
  lastRequest: '2026-12-01',
  returnShare: 0.78,
  daysOut: [5, 33],
} as const;

const plans: readonly Plan[] = [
  {
    county: harbor,
    voterFormat: 'voter-focus-voters',
    primaries: ['213'],
    ownFiles,
    scannedElection: '217',
    seasons: [
      {
        election: '213',
        electionDay: '2026-08-18',
        requestShare: 0.31,
        overseasMailing: '2026-07-03',
        mailings: [['2026-07-13', 1]],
        lastRequest: '2026-08-06',
        returnShare: 0.8,
        daysOut: [6, 33],
      },
      { ...generalSeason, election: '216', requestShare: 0.62 },
      { ...decemberSeason, election: '217', requestShare: 0.76 },
      {
        ...decemberSeason,
        election: '218',
        electionDay: '2026-12-15',
        requestShare: 0.7,
        overseasMailing: '2026-10-30',
        mailings: [['2026-11-13', 1]],
        returnShare: 0.5,
        zipcode: municipalZipcode,
      },
    ],
    snapshots: [
      { day: '2026-09-02', time: '2026-09-02T1800', elections: ['213'] },
      { day: '2026-11-06', time: '2026-11-06T1800', elections: ['216'] },
      { day: '2026-11-09', time: '2026-11-10T0600', elections: ['217'] },
      { day: '2026-11-16', time: '2026-11-17T0600', elections: ['217', '218'] },
      { day: '2026-11-20', time: '2026-11-20T1800', elections: ['217', '218'] },
    ],
  },
  {
    county: silverLake,
    voterFormat: 'beacon-voters',
    primaries: [],
    ownFiles: [],
    seasons: [
      { ...generalSeason, election: '64', requestShare: 0.55 },
      { ...decemberSeason, election: '65', requestShare: 0.68 },
    ],
    snapshots: [
      { day: '2026-11-06', time: '2026-11-06T1800', elections: ['64'] },
      { day: '2026-11-13', time: '2026-11-14T0600', elections: ['65'] },
      { day: '2026-11-20', time: '2026-11-20T1800', elections: ['65'] },
    ],
  },
];

/** Every generated file's text by its path under `demo/`. */
export function makeDemo(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const plan of plans) {
    for (const [path, text] of makeCounty(plan))
      files.set(`${plan.county.subdomain}/${path}`, text);
  }
  files.set('manifest.json', writeJson(plans.map(describeAccount)));
  files.set('voters.md', writeCastTable(plans.map((plan) => plan.county)));
  return files;
}

function makeCounty(plan: Plan): ReadonlyMap<string, string> {
  const { county } = plan;
  const voters = inventRoll(county);
  const extras = voters.filter((voter) => voter.situation === null);
  const stories = [
    ...assignCastStories(voters),
    ...plan.seasons.flatMap((season) => inventBallots(eligible(extras, season), season)),
  ];
  const roll =
    plan.voterFormat === 'beacon-voters'
      ? writeBeaconVoters(county, voters)
      : writeMasterVoterFile(county, voters);

  const files = new Map([
    ['elections.json', writeJson(county.elections)],
    ['voters.csv', roll],
  ]);
  for (const snapshot of plan.snapshots) {
    const included = stories.filter((story) => snapshot.elections.includes(story.election));
    const rows = standingsAt(included, snapshot.day);
    files.set(ballotsPath(snapshot), writeBallotStatusFile(rows, plan.primaries));
  }
  for (const file of plan.ownFiles) files.set(file.path, writeOwnFile(file, voters));
  if (plan.scannedElection !== undefined) {
    const mailings = listMailings(stories, plan.scannedElection, lastDay(plan));
    files.set(mailPiecesPath(plan.scannedElection), writeMailPieces(mailings));
    files.set(scansPath(plan.scannedElection), writeJson(listScans(mailings)));
  }
  return files;
}

function eligible(voters: readonly Voter[], season: Season): readonly Voter[] {
  const { zipcode } = season;
  return zipcode ? voters.filter((voter) => voter.zipcode.startsWith(zipcode)) : voters;
}

function ballotsPath(snapshot: Snapshot): string {
  return `ballots/BTVbmStatus${snapshot.time}.csv`;
}

function mailPiecesPath(election: string): string {
  return `mail/mail-pieces-${election}.csv`;
}

function scansPath(election: string): string {
  return `mail/scans-${election}.json`;
}

function lastDay({ snapshots }: Plan): Day {
  return snapshots.at(-1)?.day ?? '';
}

/** What to load for an account, in order, and whom to name on the start line. */
function describeAccount(plan: Plan) {
  const { subdomain } = plan.county;
  const scanned = plan.scannedElection;
  const member = cast[firstToTry[subdomain]];
  return {
    subdomain,
    account: `${subdomain}/account.json`,
    elections: `${subdomain}/elections.json`,
    imports: [
      { file: `${subdomain}/voters.csv`, format: plan.voterFormat },
      ...plan.snapshots.map((snapshot) => ({
        file: `${subdomain}/${ballotsPath(snapshot)}`,
        format: 'voter-focus-ballots',
      })),
      ...plan.ownFiles.map(({ path, format }) => ({ file: `${subdomain}/${path}`, format })),
      ...(scanned === undefined
        ? []
        : [
            { file: `${subdomain}/${mailPiecesPath(scanned)}`, format: 'beacon-mailpieces' },
            { file: `${subdomain}/${scansPath(scanned)}`, format: 'usps-iv-mtr' },
          ]),
    ],
    release_notes: plan.county.releaseNotes,
    sign_in: { ...member.typed, ...('token' in member ? { token: member.token } : {}) },
  };
}

function writeJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

if (import.meta.main) {
  const files = makeDemo();
  for (const { subdomain } of plans.map((plan) => plan.county)) {
    // Otherwise files of an earlier version would stay and look current.
    for (const folder of ['ballots', 'applications', 'mail'])
      rmSync(join(import.meta.dirname, subdomain, folder), { recursive: true, force: true });
  }
  for (const [path, text] of files) {
    const target = join(import.meta.dirname, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}
