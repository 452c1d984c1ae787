import '../../../web/src/ui/styles/index.css';
import './bar.css';
import './console.css';
import './records.css';
import './settings.css';
import './tables.css';
import './texts.css';
import './uploads.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isWorthAnotherTry } from '../api/retry.ts';
import { App } from './app.tsx';

// Without a connection a call fails at once. It is not kept until there is one, when the person may have left.
const networkMode = 'always';
const queries = new QueryClient({
  defaultOptions: {
    mutations: { networkMode },
    queries: {
      networkMode,
      refetchOnReconnect: true,
      staleTime: 5_000,
      retry: isWorthAnotherTry,
    },
  },
});

const root = document.getElementById('root');
if (!root) throw new Error('The document has no #root.');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
