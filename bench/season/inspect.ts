import type { Picture } from './office.ts';
import type { WaitingFile } from './trial.ts';

/**
 * What is wrong with how a waiting file is shown and taken back: nothing, or one line for each fault.
 * The office is used up.
 */
export async function findFaults(file: WaitingFile): Promise<string[]> {
  const faults = [...findUnclear(file), ...(await findWrongCorrections(file))];
  return faults.map((fault) => `${file.kind}: ${fault}`);
}

/** A clerk reads what is odd with five of the rows, what voters see now, and the two ways on. */
function findUnclear({ imported }: WaitingFile): string[] {
  const { code, state, text, importId, gate } = imported;
  const expected = [
    ...gate.map(({ detail }) => `- ${detail}`),
    ...gate.flatMap(({ examples }) => examples.map(({ voter, from }) => `${voter}: ${from}`)),
    'Nothing in it was loaded: voters see what they saw before',
    `If it is right, a second person must approve it: beacon release ${importId} --by`,
    'If it is wrong, leave it, and nothing changes.',
  ];
  return [
    ...(code === 3 && state === 'file-held' ? [] : [`exit ${code}, state ${state}`]),
    ...(gate.length > 0 ? [] : ['no reason']),
    ...(/now\s+if approved|no ballot gets another status/.test(text)
      ? []
      : ['not what would change']),
    ...expected.filter((words) => !text.includes(words)).map((words) => `not said: ${words}`),
    ...gate
      .filter(({ rows, examples }) => examples.length < Math.min(5, Math.max(1, rows)))
      .map((one) => `${one.examples.length} example rows of ${one.rows}: ${one.detail}`),
  ];
}

/**
 * A second person approves a wrong file all the same, and then notices: the voters who were messaged get a correction, and
 * nobody else. The pages are as before the file, and after the right one as if the wrong one had never come.
 */
async function findWrongCorrections({ imported, office, right, after }: WaitingFile) {
  const { beacon } = office;
  const before = await office.see();
  const number = String(imported.importId);
  const own = await beacon.run('release', number, '--by', 'tester');
  const faults = own.stderr.includes('A second person') ? [] : ['approved by who imported it'];
  await beacon.do('release', number, '--by', 'Bea Deputy');
  const heard = await office.sendMessages();
  await beacon.do('correct', number, '--by', 'Bea Deputy');
  const corrections = await office.sendMessages();
  const votersOf = (messages: readonly string[]) =>
    String(messages.map((message) => message.split('|')[0]).sort());
  if (votersOf(corrections) !== votersOf(heard))
    faults.push(`notified were ${votersOf(heard)}, and corrected ${votersOf(corrections)}`);
  faults.push(...corrections.filter((message) => !message.endsWith('|correction')));
  faults.push(...listDifferences(await office.see(), before));
  const { state, reasons } = await office.import(right);
  if (state !== 'done' && state !== 'nothing-new')
    faults.push(`the right file is ${state}: ${reasons.join(' / ')}`);
  return [...faults, ...listDifferences(await office.see(), after)];
}

function listDifferences(seen: Picture, expected: Picture): string[] {
  const keys = [...new Set([...seen.keys(), ...expected.keys()])];
  return keys
    .filter((key) => seen.get(key) !== expected.get(key) && !isInactiveVoter(key))
    .map(
      (key) =>
        `${key}: ${seen.get(key) ?? 'not shown'} and not ${expected.get(key) ?? 'not shown'}`,
    );

  /** A voter whom only a corrected roll had stays on the roll, and cannot sign in. */
  function isInactiveVoter(key: string): boolean {
    return key.startsWith('voter|') && !expected.has(key) && /\|f\|[tf]$/.test(seen.get(key) ?? '');
  }
}
