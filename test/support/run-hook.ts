import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement, useEffect } from 'react';
import { eventually } from './eventually.ts';
import { createStubRoot } from './page-stub.ts';
import type { TestScope } from './test-scope.ts';

export interface RunningHook<T> {
  /** What it returned last. */
  readonly current: T;
  queries: QueryClient;
}

/** Runs a hook as a screen does, without drawing anything, until the test ends. Reads are not tried again. */
export async function runHook<T>(t: TestScope, useIt: () => T): Promise<RunningHook<T>> {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: Infinity } } });
  const root = createStubRoot();
  let last: { value: T } | undefined;
  const Screen = (): null => {
    const value = useIt();
    useEffect(() => void (last = { value }));
    return null;
  };
  root.render(createElement(QueryClientProvider, { client: queries }, createElement(Screen)));
  t.onTestFinished(() => {
    root.unmount();
    queries.clear();
  });
  await eventually(() => last !== undefined);
  return {
    queries,
    get current() {
      return last!.value;
    },
  };
}
