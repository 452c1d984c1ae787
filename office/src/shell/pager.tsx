import { Link } from 'wouter';
import { t } from '../words/index.ts';
import type { useAddressFilter } from './address-filter.ts';

/** The ways to the first and to further entries of a list that pages by key. */
export function Pager({
  filter,
  next,
}: {
  readonly filter: ReturnType<typeof useAddressFilter>;
  readonly next: number | null;
}) {
  const isOldest = filter.valueOf('order') === 'oldest';
  const key = isOldest ? 'after' : 'before';
  return (
    <p className="pager">
      {filter.valueOf(key) !== '' && (
        <Link href={filter.hrefOf(key, null)}>{t(isOldest ? 'pager.oldest' : 'pager.newest')}</Link>
      )}
      {next !== null && (
        <Link href={filter.hrefOf(key, String(next))}>
          {t(isOldest ? 'pager.newer' : 'pager.older')}
        </Link>
      )}
    </p>
  );
}
