import type { BallotFix } from '@ballot-beacon/contract/ballot-status-progress';
import type { Branding } from '@ballot-beacon/contract/branding';
import { type Formats, formatsFor } from '@ballot-beacon/contract/formats';
import { type Language, languages } from '@ballot-beacon/contract/languages';
import { base } from '@ballot-beacon/contract/pages';
import type { Translate } from '@ballot-beacon/contract/translate';
import type { ProgressData } from '../../api/critical-data.ts';
import type { KeptPage } from '../../shell/kept-status.ts';
import { formatPhone, telOf } from '../../shell/support-notice.tsx';
import { isTooLate } from './ballot-fix.tsx';

const style = `
:root { color-scheme: light dark; background: Canvas; color: CanvasText; }
body { max-width: 36rem; margin: 0 auto; padding: 1.5rem; font: 1.0625rem/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.25rem; }
h2 { margin: 0; font-size: 1.5rem; line-height: 1.25; }
p { margin: .5rem 0; }
section { margin: 1.5rem 0; padding: 1.25rem; border: 1px solid GrayText; border-radius: .75rem; }
a { display: inline-block; padding: .75rem 0; color: LinkText; }`;

interface KeptPageParts {
  readonly language: Language;
  readonly t: Translate;
  readonly formats: Formats;
  readonly branding: Branding;
}

/** What stays on a device: each ballot's status with its day, and the office's phone; no name, address or voter ID. */
export function writeKeptPage(
  { progress, no_ballot_status: noBallot }: ProgressData,
  { language, t, formats, branding }: KeptPageParts,
): KeptPage {
  const ballots = progress.ballots.filter(({ election }) => election.election_is_active);
  const phone = branding.contact_phone;
  const time = formats.wordsAndTime(progress.as_of ?? progress.answered_at);
  const sections = ballots.map(({ election, status_summary: { current_status: current }, fix }) => [
    tag('p', election.election_name),
    ...(fix?.state === 'open'
      ? [
          tag('h2', fix.display_reason),
          tag('p', timeToFix(fix, progress.answered_at, { language, t })),
        ]
      : [tag('h2', current.display_description)]),
    current.datetime
      ? tag('p', t('dashboard.since', { date: formats.words(current.datetime) }))
      : '',
  ]);
  if (ballots.length === 0 && noBallot)
    sections.push([tag('h2', noBallot.title), tag('p', noBallot.description)]);
  const { tag: lang, dir } = languages[language];
  const html = `<!doctype html>
<html lang="${lang}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(`${t('title.dashboard')} – ${branding.name}`)}</title>
<style>${style}</style>
</head>
<body>
<main>
<p>${escapeHtml(branding.name)}</p>
${tag('h1', t('title.dashboard'))}
<p><strong>${escapeHtml(t('app.offlineShown', { time }))}</strong></p>
${sections.map((lines) => `<section>${lines.join('')}</section>`).join('\n')}
<p><a href="${telOf(phone)}">${escapeHtml(t('support.call', { phone: leftToRight(formatPhone(phone)) }))}</a></p>
<p><a href="${base}">${escapeHtml(t('app.retry'))}</a></p>
</main>
</body>
</html>
`;
  return { html, style };
}

/** By when: the page is read after that time too, and does not learn that it has come. */
function timeToFix(
  fix: BallotFix,
  now: string,
  { language, t }: Pick<KeptPageParts, 'language' | 't'>,
): string {
  if (fix.deadline === null) return t('fix.ask');
  const when = formatsFor(language, fix.time_zone).deadline(fix.deadline);
  return t(isTooLate(fix, Date.parse(now)) ? 'fix.over' : 'fix.by', { when });
}

/** A number reads the same way in a page from right to left. */
const leftToRight = (text: string) => `\u2066${text}\u2069`;

const tag = (name: string, text: string) => `<${name}>${escapeHtml(text)}</${name}>`;

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
