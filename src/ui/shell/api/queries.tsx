import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { makeOnce } from '../../kit/make-once.ts';
import { callApi } from './api.ts';
import { followChanges } from './tab-sync.ts';
import { ApiError } from '../../kit/api-error.ts';
import { demoTour } from '../session/demo-tour.ts';
import { session } from '../session/session.ts';

/** Wait that gathers the changes of another tab. */
const CHANGE_DELAY_MS = 300;

/**
 * Cache of the data that the pages have read. Error responses with a definite result are final. Failures are retried
 * twice. After 20 s without a response the member sees the error, instead of after a minute.
 */
const getClient = makeOnce((): QueryClient => {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 60_000,
        retry: (failures, error) =>
          failures < 2 &&
          error instanceof ApiError &&
          error.code !== 'TIMEOUT' &&
          (error.status === 0 || error.status >= 500),
      },
      // The default keeps a finished mutation and its variables for five minutes.
      mutations: { gcTime: 0 },
    },
  });
  // Notifies subscribers in a microtask. TanStack Query's default timer costs one frame.
  notifyManager.setScheduler(queueMicrotask);

  // Another tab's change is read soon, but not under a change of this tab, whose answer decides.
  let timer: ReturnType<typeof setTimeout> | undefined;
  const readChanges = (): void => {
    if (client.isMutating() > 0) timer = setTimeout(readChanges, CHANGE_DELAY_MS);
    else void client.invalidateQueries({ refetchType: document.hidden ? 'none' : 'active' });
  };
  followChanges(() => {
    clearTimeout(timer);
    timer = setTimeout(readChanges, CHANGE_DELAY_MS);
  });

  let currentMember: string | null = null;
  // Removes one member's data before another member or a visitor can see it.
  const clearOnMemberChange = (): void => {
    const state = session.state.get();
    if (state.status === 'signed-out') client.clear();
    if (state.status !== 'signed-in') return;
    if (currentMember !== null && currentMember !== state.member.userId) client.clear();
    currentMember = state.member.userId;
  };
  clearOnMemberChange();
  session.state.subscribe(clearOnMemberChange);

  if (navigator.serviceWorker?.controller === null)
    navigator.serviceWorker.addEventListener('controllerchange', cacheFirstVisit, { once: true });

  // The tour has its own list. Neither list may replace the other, even if the next read fails.
  demoTour.subscribe(() => {
    void client.resetQueries({ queryKey: ['watchlist'] });
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'watchlist' });
  });
  return client;
});

/** Reads Home and the page's files again through the worker, which did not control the page when it read them. */
function cacheFirstVisit(): void {
  void callApi('GET /api/home').catch(() => undefined);
  for (const { name } of performance.getEntriesByType('resource'))
    if (name.startsWith(`${location.origin}/assets/`)) void fetch(name).catch(() => undefined);
}

/** Prefetches data as soon as the session is known, before its page renders. */
export function prefetchWhenSignedIn(prefetch: (queries: QueryClient) => void): void {
  const prefetchIfSignedIn = (): void => {
    if (session.state.get().status !== 'signed-in') return;
    unsubscribe();
    prefetch(getClient());
  };
  const unsubscribe = session.state.subscribe(prefetchIfSignedIn);
  prefetchIfSignedIn();
}

/** Provides the query cache to a member's page. */
export function Queries({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={getClient()}>{children}</QueryClientProvider>;
}
