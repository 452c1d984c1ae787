import { errorCodes } from '@ballot-beacon/contract/problem';
import type { FastifyRequest } from 'fastify';
import { collectMessages, type ValidationIssue } from '../../platform/http.ts';
import { ProblemError, problem } from '../../platform/problem.ts';
import type { VoterApi } from './visits.ts';

/** Turns what a body's schema refused into the visitor's own words (product spec §8, server validation messages). */
export async function explainIssues(
  api: VoterApi,
  request: FastifyRequest,
  issues: readonly ValidationIssue[],
): Promise<ProblemError> {
  const visit = await api.visit(request, { isActivity: false }).catch(asProblem);
  if (visit instanceof ProblemError) return visit;
  const { translate } = visit;
  const messages = collectMessages(
    issues.map(({ path, rule, message }) => ({
      path,
      rule: ruleNames[rule] ?? 'invalid',
      message: isKey(message) ? translate(message) : message,
    })),
  );
  const isSignIn = request.routeOptions.url === '/api/voter/session';
  return problem(422, 'Failed Validation', {
    validationMessages: messages,
    ...(isSignIn && { errorCode: errorCodes.invalidCredentials }),
  });
}

/** A request for a foreign host gets its error before anything else. */
function asProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  throw error;
}

const ruleNames: Readonly<Record<string, string>> = {
  too_small: 'required',
  invalid_type: 'required',
  too_big: 'tooLong',
  unrecognized_keys: 'unknown',
};

/** The contract's own messages are keys such as `login.lastname.required`; the library's are sentences. */
function isKey(message: string): boolean {
  return /^[a-z]+(\.[a-zA-Z]+)+$/.test(message);
}
