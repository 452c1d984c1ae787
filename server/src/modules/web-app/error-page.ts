import { type Problem, problemContentType } from '@ballot-beacon/contract/problem';
import type { FastifyInstance } from 'fastify';

/** Turns errors of page routes into a readable document; calls keep their JSON. */
export function showProblemsAsPages(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    const type = String(reply.getHeader('content-type') ?? '');
    if (!type.startsWith(problemContentType) || typeof payload !== 'string') return payload;
    reply.type('text/html; charset=utf-8').removeHeader('content-length');
    return pageOf(JSON.parse(payload) as Problem);
  });
}

/** Plain on purpose: it must work when nothing else does, so it has fixed texts. */
function pageOf(problem: Problem): string {
  const words =
    problem.status >= 500
      ? 'Oops! Something went wrong on our end. Please try your latest action again.'
      : problem.detail;
  const id = problem.err_id
    ? `<p>If you call us about this, give us this number: ${escapeHtml(problem.err_id)}</p>`
    : '';
  return `<!doctype html><html lang="en-US"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Ballot Beacon</title></head><body><h1>Ballot Beacon</h1><p>${escapeHtml(words)}</p>${id}<p><a href="/voter">Ballot Beacon</a></p></body></html>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
