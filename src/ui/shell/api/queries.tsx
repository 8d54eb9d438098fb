import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { makeOnce } from '../../kit/make-once.ts';
import { ApiError } from '../../kit/api-error.ts';
import { demoTour } from '../session/demo-tour.ts';
import { session } from '../session/session.ts';

/**
 * What the pages have read from the service. A refusal is final; faults are tried twice more. After 20 s of silence the
 * member is told: they need not wait a minute to hear it.
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
      // A change that is done is forgotten at once; the library would keep it for five minutes, with all that it carried.
      mutations: { gcTime: 0 },
    },
  });
  // What a press changes is drawn with the frame that answers it. The library would tell in a timer: one frame for
  // nothing, and the next.
  notifyManager.setScheduler(queueMicrotask);

  let currentMember: string | null = null;
  // One member's data is removed before another member, or a visitor, can see it.
  const clearOnMemberChange = (): void => {
    const state = session.state.get();
    if (state.status === 'signed-out') client.clear();
    if (state.status !== 'signed-in') return;
    if (currentMember !== null && currentMember !== state.member.userId) client.clear();
    currentMember = state.member.userId;
  };
  clearOnMemberChange();
  session.state.subscribe(clearOnMemberChange);

  // The list of the tour is another one: neither is shown in the place of the other, also when the next cannot be read.
  demoTour.subscribe(() => {
    void client.resetQueries({ queryKey: ['watchlist'] });
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'watchlist' });
  });
  return client;
});

/** Reads data as soon as the session is known, before the page that shows it is rendered. */
export function prefetchWhenSignedIn(prefetch: (queries: QueryClient) => void): void {
  const prefetchIfSignedIn = (): void => {
    if (session.state.get().status !== 'signed-in') return;
    unsubscribe();
    prefetch(getClient());
  };
  const unsubscribe = session.state.subscribe(prefetchIfSignedIn);
  prefetchIfSignedIn();
}

/** Gives a member's page the shared memory of what was read. */
export function Queries({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={getClient()}>{children}</QueryClientProvider>;
}
