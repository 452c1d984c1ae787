import * as analytics from '@ballot-beacon/contract/analytics';
import * as ballots from '@ballot-beacon/contract/ballot-status-progress';
import * as branding from '@ballot-beacon/contract/branding';
import { type Call, calls } from '@ballot-beacon/contract/calls';
import * as captcha from '@ballot-beacon/contract/captcha';
import * as content from '@ballot-beacon/contract/content';
import * as flags from '@ballot-beacon/contract/flags';
import * as languageFile from '@ballot-beacon/contract/language-file';
import { officeCalls } from '@ballot-beacon/contract/office/calls';
import * as files from '@ballot-beacon/contract/office/files';
import * as people from '@ballot-beacon/contract/office/people';
import * as today from '@ballot-beacon/contract/office/today';
import * as uploads from '@ballot-beacon/contract/office/uploads';
import * as voters from '@ballot-beacon/contract/office/voters';
import * as problem from '@ballot-beacon/contract/problem';
import * as session from '@ballot-beacon/contract/session';
import * as voter from '@ballot-beacon/contract/voter-information';
import * as z from 'zod/mini';
import { officeCallWords } from './office-words.ts';
import { type CallWords, callWords } from './words.ts';

type Json = { readonly [member: string]: unknown };

const words: Readonly<Record<string, CallWords>> = { ...callWords, ...officeCallWords };

/** Generates the OpenAPI 3.1 document of voters' calls and of the console's from the contract's tables. */
export function createOpenApiDocument(version: string): Json {
  const all: Readonly<Record<string, Call<string>>> = { ...calls, ...officeCalls };
  const { schemas, refer } = describeSchemas(new Set(Object.values(all).map(({ body }) => body)));
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, call] of Object.entries(all)) {
    const path = call.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][call.method.toLowerCase()] = describeCall(
      name,
      call,
      words[name] as CallWords,
      refer,
    );
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Ballot Beacon API',
      version,
      description:
        'Where a voter’s mail ballot is, and how the voter wants to get updates. It tracks the envelope, never the vote. ' +
        'A session lives in an HttpOnly cookie; a state-changing call from another site is refused. Every error is an RFC 9457 problem.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(Object.values(words).map((words) => words.tag))].map((name) => ({
      name,
    })),
    paths,
    components: {
      schemas,
      responses: { Problem: problemResponse },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: '__Host-beacon_session' },
        loopbackSession: {
          type: 'apiKey',
          in: 'cookie',
          name: 'beacon_session',
          description: 'The name of the cookie over plain http on the own machine.',
        },
        officeSession: { type: 'apiKey', in: 'cookie', name: '__Host-beacon_office' },
        loopbackOfficeSession: {
          type: 'apiKey',
          in: 'cookie',
          name: 'beacon_office',
          description: 'The name of the cookie over plain http on the own machine.',
        },
      },
    },
  };
}

type Refer = (schema: z.ZodMiniType, io: 'input' | 'output') => Json;

const problemResponse = {
  description: 'What was wrong, and what to do',
  content: {
    [problem.problemContentType]: { schema: { $ref: '#/components/schemas/Problem' } },
  },
};

/** The sessions that open a call; none for a call that anyone may make. */
function describeAccess({ access, path }: Call<string>): Json {
  if (access === 'anyone') return {};
  return path.startsWith('/api/office/')
    ? { security: [{ officeSession: [] }, { loopbackOfficeSession: [] }] }
    : { security: [{ session: [] }, { loopbackSession: [] }] };
}

function describeCall(name: string, call: Call<string>, words: CallWords, refer: Refer): Json {
  const refusal = { $ref: '#/components/responses/Problem' };
  const parameters = [
    ...describeParameters('path', call.params),
    ...describeParameters('query', call.query),
  ];
  return {
    operationId: name,
    tags: [words.tag],
    summary: words.summary,
    ...(words.description && { description: words.description }),
    ...describeAccess(call),
    ...(parameters.length > 0 && { parameters }),
    ...(call.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: refer(call.body, 'input') } },
      },
    }),
    ...(call.bodyBytes !== undefined && {
      requestBody: { required: true, content: { 'application/octet-stream': {} } },
    }),
    responses: {
      [call.success]: call.answer
        ? {
            description: 'Done',
            content: { 'application/json': { schema: refer(call.answer, 'output') } },
          }
        : call.answerFile
          ? { description: 'The file', content: { [call.answerFile]: {} } }
          : { description: 'Done; no body' },
      ...Object.fromEntries(words.refusals.map((status) => [status, refusal])),
      default: refusal,
    },
  };
}

function describeParameters(place: 'path' | 'query', schema: z.ZodMiniType | undefined): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  return Object.entries(properties).map(([name, described]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: described,
  }));
}

/**
 * Every exported schema of the contract by name, and a function that refers to a schema or writes it out.
 *
 * @param bodies in which nothing is demanded that has a default; an answer always has it
 */
function describeSchemas(bodies: ReadonlySet<unknown>): { schemas: Json; refer: Refer } {
  const names = new Map<unknown, string>();
  const registry = z.registry<{ id: string }>();
  for (const file of [
    analytics,
    ballots,
    branding,
    captcha,
    content,
    files,
    flags,
    languageFile,
    people,
    problem,
    session,
    today,
    uploads,
    voter,
    voters,
  ]) {
    for (const [name, value] of Object.entries(file)) {
      if (!isSchema(value) || names.has(value)) continue;
      names.set(value, name);
      registry.add(value, { id: name });
    }
  }
  const uri = (id: string) => `#/components/schemas/${id}`;
  const given = z.toJSONSchema(registry, { uri, io: 'input' }).schemas;
  const answered = z.toJSONSchema(registry, { uri, io: 'output' }).schemas;
  const schemas = Object.fromEntries(
    [...names]
      .map(([schema, name]) => ({ name, ...(bodies.has(schema) ? given : answered)[name] }))
      .sort((a, b) => a.name.localeCompare(b.name, 'en'))
      .map(({ name, $id: _id, $schema: _dialect, ...schema }) => [name, schema]),
  );
  return {
    schemas,
    refer: (schema, io) => {
      const name = names.get(schema);
      if (name) return { $ref: uri(name) };
      const { $schema: _dialect, ...spelledOut } = z.toJSONSchema(schema, { io });
      return spelledOut;
    },
  };
}

function isSchema(value: unknown): value is z.ZodMiniType {
  return value instanceof z.ZodMiniType;
}
