import type { Bootstrap } from '@ballot-beacon/contract/bootstrap';
import { bootstrapElementId } from '@ballot-beacon/contract/bootstrap-element';
import { base, findScreen } from '@ballot-beacon/contract/pages';
import { hydrateRoot } from 'react-dom/client';
import { endSession, isEnding } from '../shell/session-end.ts';
import { App } from './app.tsx';
import { lazyPartsOf, preloadMembersScreens } from './pages.ts';

// Not awaited at the top level: a lazy screen imports the file this stands in, and would wait for it in vain.
void start();

async function start(): Promise<void> {
  const { bootstrap, sent } = readPageData();
  const voterId = bootstrap.critical?.voter.voter_id;
  if (voterId !== undefined && isEnding(voterId)) return leave(voterId);
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root');

  // Hydration must find the same screen that the server rendered, so its script has to be there first.
  const screen = findScreen(location.pathname.slice(base.length) || '/');
  const parts = lazyPartsOf(screen, bootstrap.critical !== null);
  await Promise.all(parts.map(({ preload }) => preload().catch(() => {})));
  hydrateRoot(root, <App bootstrap={bootstrap} sent={sent} />);
  // The next screen comes without a wait. And a script that was asked for while the connection was gone never comes:
  // what ends a session is there before that.
  if (bootstrap.critical) preloadMembersScreens().catch(() => {});
}

function readPageData(): { bootstrap: Bootstrap; sent?: Record<string, string> } {
  return JSON.parse(document.getElementById(bootstrapElementId)?.textContent ?? '');
}

/** The voter had logged out, and the server did not hear of it: the page of that session is not shown. */
async function leave(voterId: number): Promise<void> {
  document.getElementById('root')?.remove();
  await endSession(voterId, () => {});
  // Here, not at the first page: the visitor may have scanned a code.
  location.reload();
}
