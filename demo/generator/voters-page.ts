import { type CastMember, cast, type Situation, situations } from '../cast.ts';
import type { County } from './counties.ts';

/** The cast as a page of Markdown tables, one per county: whom to sign in as to see what. */
export function writeCastTable(counties: readonly County[]): string {
  const sections = counties.map((county) => {
    const members = situations.filter((situation) => cast[situation].account === county.subdomain);
    const hasTokens = members.some((situation) => 'token' in cast[situation]);
    const columns = ['Shows', 'First name', 'Last name', 'ZIP', 'Date of birth', 'Voter ID'];
    const heads = [...columns, ...(hasTokens ? ['Token'] : []), 'Ballots'];
    const lines = members.map((situation) => listCells(county, situation, hasTokens));
    return [
      `## ${county.county} County (\`${county.subdomain}\`)`,
      '',
      ...writeTable([heads, ...lines]),
      '',
    ].join('\n');
  });
  return [
    '# Voters to sign in as',
    '',
    'All invented. Written by `npx node demo/make-demo.ts` from `demo/cast.ts`. The page asks for a voter ID only where',
    'it says "(asked)"; the names are as one would type them, not always as the roll spells them.',
    '',
    ...sections,
  ].join('\n');
}

function listCells(county: County, situation: Situation, hasTokens: boolean): string[] {
  const member: CastMember = cast[situation];
  const { firstname, lastname, zipcode, birthdate } = member.typed;
  const ballots = member.ballots.map(({ election, status, isCurrent }) => {
    const name = county.elections.find(({ number }) => number === election)?.name ?? election;
    return `${status} (${isCurrent ? name : `previous: ${name}`})`;
  });
  return [
    member.shows,
    firstname || '(left empty)',
    lastname,
    zipcode,
    birthdate,
    member.registrationId + (member.isAmbiguous ? ' (asked)' : ''),
    ...(hasTokens ? [member.token ?? ''] : []),
    member.signsIn ? ballots.join('; ') || 'none' : 'cannot sign in',
  ];
}

/** Aligned, as the formatter of the repository wants it. */
function writeTable(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const pad = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [
    pad(head),
    pad(head.map((_, column) => '-'.repeat(widths?.[column] ?? 3))),
    ...body.map(pad),
  ];
}
