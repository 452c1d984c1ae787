import type { SettingField } from '@ballot-beacon/contract/office/settings';
import { Link } from 'wouter';
import { t } from '../../words/index.ts';
import { describeProblem, type Problem, problemsOf } from './describe.ts';
import { idOf } from './field.tsx';
import { groupOf } from './groups.ts';

/** What must be corrected before anything is changed, each with the way to its control. */
export function Problems({
  fields,
  problems,
}: {
  readonly fields: readonly SettingField[];
  readonly problems: readonly Problem[];
}) {
  const rows = problems.map((problem) => ({
    problem,
    field: fields.find((one) => problemsOf(one, [problem]).length > 0),
  }));
  return (
    <div className="notice notice-bad" role="alert">
      <p>{t('settings.problems')}</p>
      <ul>
        {rows.map(({ problem, field }) => (
          <li key={`${problem.at} ${problem.message}`}>
            {field ? (
              <Link
                href={`/settings/${groupOf(field)}`}
                onClick={() => requestAnimationFrame(() => findControl(field)?.focus())}
              >
                {describeProblem(field, problem)}
              </Link>
            ) : (
              describeProblem(undefined, problem)
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A setting's first control; of several the box around them. */
function findControl({ at }: SettingField): HTMLElement | null {
  return document.getElementById(idOf(at)) ?? document.getElementById(`${idOf(at)}-group`);
}
