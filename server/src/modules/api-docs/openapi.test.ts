import { calls } from '@ballot-beacon/contract/calls';
import { officeCalls } from '@ballot-beacon/contract/office/calls';
import { describe, expect, test } from 'vitest';
import { createOpenApiDocument } from './openapi.ts';

type Operation = { operationId: string; responses: Record<string, unknown>; security?: unknown };
const document = createOpenApiDocument('1.2.3');
const all = { ...calls, ...officeCalls };
const paths = document.paths as Record<string, Record<string, Operation>>;

describe('the OpenAPI document', () => {
  test('describes every call of the contract, and no other', () => {
    const described = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((operation) => operation.operationId),
    );
    expect(described.sort()).toEqual(Object.keys(all).sort());
  });

  test('says which calls need a session', () => {
    for (const methods of Object.values(paths)) {
      for (const { operationId, security } of Object.values(methods)) {
        const { access } = all[operationId as keyof typeof all];
        expect(security !== undefined, operationId).toBe(access !== 'anyone');
      }
    }
  });

  test('refers only to existing schemas', () => {
    const text = JSON.stringify(document);
    const schemas = (document.components as { schemas: Record<string, unknown> }).schemas;
    const referred = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect(referred.length).toBeGreaterThan(10);
    for (const name of referred) expect(Object.keys(schemas)).toContain(name);
  });

  test('demands nothing that has a default', () => {
    const [signIn, fixes, report] = [
      paths['/api/voter/session']?.post,
      paths['/api/office/fixes']?.get,
      paths['/api/office/fix-report']?.get,
    ] as unknown as {
      parameters?: { name: string; required: boolean }[];
      requestBody?: { content: Record<string, { schema: { $ref: string } }> };
    }[];
    for (const { parameters = [] } of [fixes, report].filter((one) => one !== undefined)) {
      expect(parameters.length).toBeGreaterThan(0);
      expect(parameters.filter(({ required }) => required)).toEqual([]);
    }
    const { $ref = '' } = signIn?.requestBody?.content['application/json']?.schema ?? {};
    const { schemas } = document.components as { schemas: Record<string, { required: string[] }> };
    expect(schemas[$ref.split('/').at(-1) ?? '']?.required).toEqual([
      ...['lastname', 'zipcode', 'birthdate', 'recaptcha'],
    ]);
  });

  test('describes every path parameter', () => {
    for (const [path, methods] of Object.entries(paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const operation of Object.values(methods) as unknown as {
        parameters?: { in: string; name: string }[];
      }[]) {
        const given = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
        expect(given.map((parameter) => parameter.name)).toEqual(named);
      }
    }
  });
});
