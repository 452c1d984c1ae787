import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readMigratedSchema, schemaFile } from './write-schema.ts';

test('database/schema.sql shows what the migrations make (else: npm run schema)', async () => {
  expect(await readFile(schemaFile, 'utf8')).toBe(await readMigratedSchema());
});
