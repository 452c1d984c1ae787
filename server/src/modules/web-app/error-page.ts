import { type Problem, problemContentType } from '@ballot-beacon/contract/problem';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { BusyPage } from './busy-page.ts';

/** Turns errors of page routes into a readable document; calls keep their JSON. */
export function showProblemsAsPages(app: FastifyInstance, busyPage: BusyPage): void {
  app.addHook('onSend', async (request, reply, payload) =>
    toPage(reply, payload, () => busyPage(request)),
  );
}

/** @param makeBusyPage for a 503 that a visitor need not call anybody about */
function toPage(reply: FastifyReply, payload: unknown, makeBusyPage?: () => string): unknown {
  const type = String(reply.getHeader('content-type') ?? '');
  if (!type.startsWith(problemContentType) || typeof payload !== 'string') return payload;
  reply.type('text/html; charset=utf-8').removeHeader('content-length');
  const problem = JSON.parse(payload) as Problem;
  const isBusy = problem.status === 503 && problem.err_id === undefined;
  return isBusy && makeBusyPage ? makeBusyPage() : pageOf(problem);
}

/** The same for a mistyped address outside the page, where a browser asks for one; other programs get their JSON. */
export function showMissingAsPage(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isForReader =
      reply.statusCode === 404 &&
      !request.url.startsWith('/api/') &&
      (request.headers.accept ?? '').includes('text/html');
    return isForReader ? toPage(reply, payload) : payload;
  });
}

/** As the page has it, of no office by name: which one it is may be what is not known here. */
const trustMark =
  "<details><summary>Official ballot tracker of your election office. How to know</summary><ul><li>The web address in your browser starts with https:// and matches the address in your election office's letters and on its website.</li><li>We never ask for money, a password, or your Social Security number.</li></ul></details>";

/** Plain on purpose: it must work when nothing else does, so it has fixed texts. */
function pageOf(problem: Problem): string {
  const words =
    problem.status >= 500
      ? 'Oops! Something went wrong on our end. Please try your latest action again.'
      : problem.detail;
  const heading = problem.status === 404 ? 'Page Not Found' : 'Ballot Beacon';
  const id = problem.err_id
    ? `<p>If you call us about this, give us this number: ${escapeHtml(problem.err_id)}</p>`
    : '';
  // An address that is nobody's here says nothing about being official.
  const mark = problem.status === 421 ? '' : trustMark;
  return `<!doctype html><html lang="en-US"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${heading}</title></head><body>${mark}<h1>${heading}</h1><p>${escapeHtml(words)}</p>${id}<p><a href="/voter">Ballot Beacon</a></p></body></html>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
