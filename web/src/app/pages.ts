import { lazyPage } from './lazy-page.tsx';
import type { Screen } from './routes.ts';

export const dashboardPage = lazyPage(() => import('../features/dashboard/index.tsx'));

/** The lazily loaded source of each screen that has one: its script is fetched along with the page. */
export const lazySources: Readonly<
  Partial<Record<Screen, { source: string; preload(): Promise<unknown> }>>
> = {
  dashboard: { source: 'src/features/dashboard/index.tsx', preload: dashboardPage.preload },
};
