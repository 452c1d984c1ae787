import { type Bootstrap, bootstrapElementId } from '@ballot-beacon/contract/bootstrap';
import { hydrateRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { lazySources } from './pages.ts';
import { base, findScreen } from './routes.ts';

const data = document.getElementById(bootstrapElementId)?.textContent ?? '';
const { bootstrap, sent } = JSON.parse(data) as {
  bootstrap: Bootstrap;
  sent?: Record<string, string>;
};
const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');

// Hydration must find the same screen that the server rendered, so its script has to be there first.
const screen = findScreen(location.pathname.slice(base.length) || '/');
await lazySources[screen]?.preload().catch(() => {});
hydrateRoot(root, <App bootstrap={bootstrap} sent={sent} />);
document.documentElement.dataset.ready = '';
