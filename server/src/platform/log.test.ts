import { beforeEach, expect, test } from 'vitest';
import { codeOf, createLog, type Log, plainText, stackOf } from './log.ts';

const lines: string[] = [];
const log = createLog('info', { write: (line: string) => void lines.push(line) });
beforeEach(() => {
  lines.length = 0;
});

test('an event is one JSON line with its level, its time and its fields', () => {
  log.write('demo.loaded', { milliseconds: 12 });
  expect(lines).toHaveLength(1);
  const line = JSON.parse(lines[0] as string);
  expect(line).toMatchObject({ level: 30, event: 'demo.loaded', milliseconds: 12 });
  expect(Date.parse(line.time)).not.toBeNaN();
});

test('a field that is not declared is not written, and what is below the level neither', () => {
  const careless = log as { write(event: string, fields: object): void };
  careless.write('demo.loaded', { milliseconds: 1, lastname: 'Rivera' });
  careless.write('request.done', { route: '/api' });
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain('Rivera');
});

test('an error is logged by its code and its place, never by its words', () => {
  const error = Object.assign(new RangeError('invalid date "1950-02-30"\n    of Rivera'), {
    detail: 'Key (lastname)=(Rivera)',
    code: '22008',
  });
  log.write('job.failed', { job: 'import', code: codeOf(error), stack: stackOf(error) });
  expect(lines[0]).toMatch(/"code":"22008".*RangeError \| at .*log\.test\.ts/);
  expect(lines[0]).not.toMatch(/Rivera|1950/);
  expect(codeOf(Object.assign(new TypeError(), { code: 'no such voter Rivera' }))).toBe(
    'TypeError',
  );
  expect(codeOf('Rivera')).toBe('string');
});

test('a text that is only known when the program runs does not compile', () => {
  const name = String('Rivera');
  const refused = (into: Log) => {
    // @ts-expect-error a text of unknown origin
    into.write('job.failed', { job: name });
    // @ts-expect-error nor with words around it
    into.write('job.failed', { job: `of ${name}` });
    // @ts-expect-error nor a field that the event does not declare
    into.write('job.failed', { lastname: 'x' });
    // @ts-expect-error nor a whole object
    into.write('job.failed', { job: { name } });
  };
  expect(refused).toBeTypeOf('function');
  log.write('job.failed', { job: 'queue', attempt: 2, code: plainText('E1') });
  expect(lines).toHaveLength(1);
});

test('a stack has no line of its error’s message, whatever that says', () => {
  const error = new Error('duplicate key\n    at 12 Elm Street lives Rivera\nlook at Rivera');
  expect(stackOf(error)).not.toMatch(/Rivera|Elm|duplicate/);
  expect(stackOf(error)).toContain('log.test.ts');
});
