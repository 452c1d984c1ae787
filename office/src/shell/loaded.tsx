import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../../../web/src/ui/button.tsx';
import { Loading } from '../../../web/src/ui/loading.tsx';
import { t } from '../words/index.ts';
import { Failure } from './failure.tsx';

/**
 * What a query brought, and why it could not be brought anew; until then that it is loading, or why it failed and how to
 * try again.
 */
export function Loaded<Data>({
  query,
  children,
}: {
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined)
    return (
      <>
        <Failure error={query.error} />
        {children(query.data)}
      </>
    );
  if (query.error)
    return (
      <div className="notice notice-bad" role="alert">
        <h2>{t('app.failed.title')}</h2>
        <p>{query.error.message}</p>
        <Button onClick={() => void query.refetch()}>{t('app.retry')}</Button>
      </div>
    );
  return <Loading text={t('app.loading')} slowText={t('app.loadingSlow')} />;
}
