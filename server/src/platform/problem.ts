import type { Problem, ValidationMessages } from '@ballot-beacon/contract/problem';

/** An error answer, thrown by a route and sent as problem+json. Its words are for the visitor and reveal nothing internal. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;

  constructor(problem: Problem, headers: Readonly<Record<string, string>> = {}) {
    super(problem.detail);
    this.problem = problem;
    this.headers = headers;
  }
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** Makes the error for an HTTP status; `more` are the product's own members. */
export function problem(
  status: number,
  detail: string,
  more: {
    errorCode?: number;
    validationMessages?: ValidationMessages;
    errId?: string;
    workLevel?: number;
    headers?: Readonly<Record<string, string>>;
  } = {},
): ProblemError {
  return new ProblemError(
    {
      title: titles[status] ?? 'Error',
      status,
      detail,
      ...(more.errorCode === undefined ? {} : { 'error-code': more.errorCode }),
      ...(more.validationMessages === undefined
        ? {}
        : { validation_messages: more.validationMessages }),
      ...(more.errId === undefined ? {} : { err_id: more.errId }),
      ...(more.workLevel === undefined ? {} : { work_level: more.workLevel }),
    },
    more.headers,
  );
}

/** What one field of a form got wrong. @param rule of the contract's, by which a page may choose other words */
export function refuseField(field: string, words: string, rule = 'invalid'): ProblemError {
  return problem(422, 'Failed Validation', { validationMessages: { [field]: { [rule]: words } } });
}
