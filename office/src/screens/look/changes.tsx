import { Scroll } from '../../shell/scroll.tsx';
import { useSession } from '../../shell/session.tsx';
import { formatInstant, t } from '../../words/index.ts';

/** Who changed it, from what to what, newest first. */
export function Changes({
  label,
  changes,
}: {
  readonly label: string;
  readonly changes: readonly {
    readonly audit_id: number;
    readonly at: string;
    readonly who: string;
    readonly from: string;
    readonly to: string;
  }[];
}) {
  const { session } = useSession();
  if (changes.length === 0) return null;
  return (
    <details>
      <summary>{label}</summary>
      <Scroll label={label}>
        <table className="table">
          <caption className="visually-hidden">{label}</caption>
          <thead>
            <tr>
              <th scope="col">{t('text.when')}</th>
              <th scope="col">{t('text.who')}</th>
              <th scope="col">{t('text.change')}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ audit_id: id, at, who, from, to }) => (
              <tr key={id}>
                <th scope="row">{formatInstant(at, session)}</th>
                <td>{who}</td>
                <td>
                  {from} → {to}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  );
}
