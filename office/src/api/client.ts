import {
  type OfficeCall,
  type OfficeCallName,
  officeCalls,
} from '@ballot-beacon/contract/office/calls';
import { Problem, problemContentType } from '@ballot-beacon/contract/problem';
import type { infer as Infer, ZodMiniType } from 'zod/mini';

type Calls = typeof officeCalls;
export type Answer<Name extends OfficeCallName> = Calls[Name] extends {
  answer: infer A extends ZodMiniType;
}
  ? Infer<A>
  : Calls[Name] extends { answerFile: string }
    ? SavedFile
    : undefined;

/** A file that the server answered with. */
export interface SavedFile {
  readonly name: string;
  readonly content: Blob;
}

type Part<
  Name extends OfficeCallName,
  Key extends 'body' | 'query' | 'params',
> = Calls[Name] extends { readonly [key in Key]: infer Schema extends ZodMiniType }
  ? { readonly [key in Key]: Infer<Schema> }
  : unknown;
export type Input<Name extends OfficeCallName> = Part<Name, 'body'> &
  Part<Name, 'query'> &
  Part<Name, 'params'> &
  LooseInput;

interface LooseInput {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The server refused a call, or did not answer it. The message is for the person. */
export class CallError extends Error {
  override readonly name = 'CallError';
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  readonly code: number | undefined;
  /** What is wrong with each part of the call, by its name in the contract: `number`, `return_deadline/date`. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(message: string, status: number, code?: number, fields = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

/** A call that has not answered after this many milliseconds has failed. */
const patienceMs = 30_000;

/** A file of a large county takes minutes to come. */
const filePatienceMs = 600_000;

/** Makes a call of the console's contract. @throws {CallError} */
export async function call<Name extends OfficeCallName>(
  name: Name,
  input: Input<Name>,
): Promise<Answer<Name>> {
  const { method, path, answer, answerFile }: OfficeCall = officeCalls[name];
  const response = await fetch(addressOf(path, input), {
    ...requestOf(method, input),
    credentials: 'same-origin',
    signal: AbortSignal.timeout(answerFile ? filePatienceMs : patienceMs),
  }).catch(() => undefined);
  if (!response)
    throw new CallError('The server does not answer. Check your connection and try again.', 0);
  if (!response.ok) throw await readProblem(response);
  if (answerFile) return (await readFile(response)) as Answer<Name>;
  if (response.status === 204 || !answer) return undefined as Answer<Name>;
  const parsed = answer.safeParse(await response.json().catch(() => undefined));
  if (!parsed.success) throw new CallError('The answer could not be read. Load the page again.', 0);
  return parsed.data as Answer<Name>;
}

async function readFile(response: Response): Promise<SavedFile> {
  const header = response.headers.get('content-disposition') ?? '';
  const content = await response.blob().catch(() => undefined);
  if (!content) throw new CallError('The file did not come whole. Try again.', 0);
  return { name: /filename="([^"]+)"/.exec(header)?.[1] ?? 'file', content };
}

async function readProblem(response: Response): Promise<CallError> {
  const type = response.headers.get('content-type') ?? '';
  const problem = type.startsWith(problemContentType)
    ? Problem.safeParse(await response.json().catch(() => undefined))
    : undefined;
  if (!problem?.success)
    return new CallError('The server cannot answer now. Try again in a minute.', response.status);
  const { detail, err_id: id, validation_messages: messages = {} } = problem.data;
  const fields = Object.fromEntries(
    Object.entries(messages).map(([name, rules]) => [name, Object.values(rules)[0] ?? detail]),
  );
  const [first] = Object.values(fields);
  const text = first ?? (id ? `${detail} Number for support: ${id}` : detail);
  return new CallError(text, response.status, problem.data['error-code'], fields);
}

function addressOf(pattern: string, { params = {}, query = {} }: LooseInput): string {
  const path = pattern.replaceAll(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(String(params[key] ?? '')),
  );
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    if (value !== undefined) search.set(key, String(value));
  return search.size > 0 ? `${path}?${search}` : path;
}

function requestOf(method: string, { body }: LooseInput): RequestInit {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body === undefined && method !== 'POST') return { method, headers };
  if (body instanceof ArrayBuffer)
    return { method, headers: { ...headers, 'content-type': 'application/octet-stream' }, body };
  headers['content-type'] = 'application/json';
  return { method, headers, body: JSON.stringify(body ?? {}) };
}
