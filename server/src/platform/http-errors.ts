import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { type Problem, problemContentType } from '@ballot-beacon/contract/problem';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { codeOf, type Log, plainText, stackOf } from './log.ts';
import { isUnavailable } from './postgres.ts';
import { ProblemError, problem } from './problem.ts';

/** One field's refusal: where it is, which rule it broke, and the schema's message (often a translation key). */
export interface ValidationIssue {
  readonly path: string;
  readonly rule: string;
  readonly message: string;
}

export type ExplainIssues = (
  request: FastifyRequest,
  issues: readonly ValidationIssue[],
) => Promise<ProblemError>;

const secondsToComeBack = 5;

export function tooBusy(): ProblemError {
  return problem(503, 'Too many people are asking at once. Please try again in a few seconds.', {
    headers: { 'retry-after': String(secondsToComeBack) },
  });
}

export function sendProblem(reply: FastifyReply, error: ProblemError): void {
  reply
    .code(error.problem.status)
    .headers({ ...error.headers })
    .header('content-type', problemContentType)
    .header('cache-control', 'no-store')
    // The route's own schema describes good answers.
    .serializer((body: Problem) => JSON.stringify(body))
    .send(error.problem);
}

/**
 * Turns any failure of a request into a problem for its visitor. A failure that the visitor did not cause is logged
 * with the err_id that the visitor is shown, and its message stays inside.
 */
export async function explainError(
  error: FastifyError,
  request: FastifyRequest,
  log: Log,
  explainIssues?: ExplainIssues,
): Promise<ProblemError> {
  if ((error as Error) instanceof ProblemError) return error as unknown as ProblemError;
  if (hasZodFastifySchemaValidationErrors(error)) {
    const issues = error.validation.map(({ instancePath, keyword, message }) => ({
      path: instancePath.replace(/^\//, ''),
      rule: keyword,
      message: message ?? '',
    }));
    if (explainIssues && error.validationContext === 'body') return explainIssues(request, issues);
    return problem(error.validationContext === 'body' ? 422 : 400, 'Failed Validation', {
      validationMessages: collectMessages(issues),
    });
  }
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) return problem(status, clientErrors[status] ?? unreadable);
  const errId = randomUUID();
  log.write('request.failed', {
    err_id: plainText(errId),
    method: plainText(request.method),
    route: plainText(request.routeOptions.url ?? 'unknown'),
    code: codeOf(error),
    stack: stackOf(error),
  });
  if (isUnavailable(error)) {
    return problem(503, 'This is out of order for the moment. Please try again shortly.', {
      errId,
      headers: { 'retry-after': String(secondsToComeBack) },
    });
  }
  return problem(500, 'Something went wrong on our end.', { errId });
}

const unreadable = 'The request could not be read.';
const clientErrors: Readonly<Record<number, string>> = {
  404: 'There is nothing here.',
  408: 'The request took too long to arrive.',
  413: 'The request is larger than this call takes.',
  414: 'The address is longer than any here.',
  415: 'This call takes another type of content.',
  431: 'The headers of the request are larger than this server takes.',
};

/** `{ field: { rule: message } }`, as the voter's form reads it (product spec §3, Server validation messages). */
export function collectMessages(
  issues: readonly ValidationIssue[],
): Record<string, Record<string, string>> {
  const messages: Record<string, Record<string, string>> = {};
  for (const { path, rule, message } of issues) {
    const field = path === '' ? 'request' : path;
    messages[field] = { ...messages[field], [rule]: message };
  }
  return messages;
}

const parserStatuses: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/** Answers data that is not HTTP, or too slow or too large to become a request, and closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = parserStatuses[error.code ?? ''] ?? 400;
  const answer = problem(status, clientErrors[status] ?? unreadable).problem;
  const body = JSON.stringify(answer);
  socket.end(
    [
      `HTTP/1.1 ${status} ${answer.title}`,
      `content-type: ${problemContentType}`,
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
