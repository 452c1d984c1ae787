import { Link } from 'wouter';
import { t } from '../words/index.ts';
import type { useAddressFilter } from './address-filter.ts';

/** The ways to the newest and to older entries of a list that pages by key. */
export function Pager({
  filter,
  next,
}: {
  readonly filter: ReturnType<typeof useAddressFilter>;
  readonly next: number | null;
}) {
  return (
    <p className="pager">
      {filter.valueOf('before') !== '' && (
        <Link href={filter.hrefOf('before', null)}>{t('pager.newest')}</Link>
      )}
      {next !== null && (
        <Link href={filter.hrefOf('before', String(next))}>{t('pager.older')}</Link>
      )}
    </p>
  );
}
