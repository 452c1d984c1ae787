import { formatDay } from '../../../platform/clock.ts';
import type { ImportId } from '../../../platform/ids.ts';
import type { Election } from '../../accounts/index.ts';
import type { EarlierFile, GateReason } from '../kinds/kind.ts';
import type { Day } from '../read/dates.ts';

/** Hours and minutes, and perhaps seconds and thousandths, which many exporters write right after the day. */
const time = String.raw`(?:(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d(?:\d{3})?)?)?`;
/** Years, months and days in the orders in which exporters write them into names of files. */
const namePatterns = [
  String.raw`(?<year>20\d\d)[-_. ]?(?<month>[01]\d)[-_. ]?(?<day>[0-3]\d)`,
  String.raw`(?<month>[01]?\d)[-_. ](?<day>[0-3]?\d)[-_. ](?<year>20\d\d)`,
  String.raw`(?<month>[01]\d)(?<day>[0-3]\d)(?<year>20\d\d)`,
].map((day) => new RegExp(String.raw`(?<!\d)${day}${time}(?!\d)`, 'g'));

/**
 * The day of which a file is by its name; null where the name has none, or several. The day of an election names the
 * election, not the file.
 */
export function findNameDay(name: string, today: Day, elections: readonly Election[]): Day | null {
  const days = new Set<Day>();
  for (const pattern of namePatterns) {
    for (const { groups } of name.matchAll(pattern)) {
      const { year, month = '', day = '' } = groups ?? {};
      const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
      const isDay = new Date(`${written}T00:00:00Z`).toJSON()?.startsWith(written) === true;
      // On the day itself it is the day of the file as well.
      const isElection =
        written !== today && elections.some(({ electionDate }) => electionDate === written);
      if (isDay && written <= today && !isElection) days.add(written);
    }
  }
  const [found = null] = days;
  return days.size === 1 ? found : null;
}

/** Why a file is older than what is loaded already; null where it is not. @param earlier newest first */
export function explainOldFile(
  file: {
    /** Null for a file without rows: on two days without open cases, a list of them has the same bytes. */
    readonly sha256: Buffer | null;
    readonly fileDay: Day | null;
    readonly today: Day;
    /** A short list of open cases is the same as an earlier one once a case has come and gone. */
    readonly mayRecur?: boolean;
    /** The last list of open cases, which had perhaps no rows and is then not among the earlier files. */
    readonly lastList?: Pick<EarlierFile, 'importId' | 'fileDay'> | null;
  },
  earlier: readonly EarlierFile[],
): GateReason | null {
  const { sha256, fileDay, today, mayRecur = false, lastList = null } = file;
  const newest = findNewest([...earlier, ...(lastList ? [lastList] : [])], (one) => one.fileDay);
  const isNewer = fileDay !== null && newest !== null && fileDay > newest.day;
  const oldFile = (detail: string) => ({ code: 'old-file', detail });
  const same = sha256 && earlier.find((one, place) => place > 0 && one.sha256.equals(sha256));
  if (same && !earlier[0]?.sha256.equals(sha256) && !(mayRecur && isNewer))
    return oldFile(
      `This is the same file as import ${same.importId}. Newer files are already in, and it would undo them. If import ${earlier[0]?.importId} was wrong, correct it first: beacon correct ${earlier[0]?.importId} --by NAME`,
    );
  if (fileDay === null || newest === null || fileDay >= newest.day) return null;
  return oldFile(
    `This is the file of ${formatDay(fileDay, today)}; the file of ${formatDay(newest.day, today)} is already in (import ${newest.importId}).`,
  );
}
/** The newest of the days that files are of. */
export function findNewest<File extends Pick<EarlierFile, 'importId'>>(
  earlier: readonly File[],
  dayOf: (file: File) => Day | null,
): { day: Day; importId: ImportId } | null {
  let found: { day: Day; importId: ImportId } | null = null;
  for (const file of earlier) {
    const day = dayOf(file);
    if (day !== null && (found === null || day > found.day))
      found = { day, importId: file.importId };
  }
  return found;
}
