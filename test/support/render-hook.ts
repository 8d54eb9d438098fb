import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement, useEffect } from 'react';
import { eventually } from './eventually.ts';
import { createStubRoot } from './page-stub.ts';
import type { TestScope } from './test-scope.ts';

export interface RenderedHook<T> {
  /** The last returned value. */
  readonly current: T;
  queries: QueryClient;
}

/** Runs a hook like a screen, without drawing, until the test ends. Reads are not retried. */
export async function renderHook<T>(t: TestScope, callHook: () => T): Promise<RenderedHook<T>> {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: Infinity } } });
  const root = createStubRoot();
  let lastResult: { value: T } | undefined;
  const HookHost = (): null => {
    const value = callHook();
    useEffect(() => {
      lastResult = { value };
    });
    return null;
  };
  root.render(createElement(QueryClientProvider, { client: queries }, createElement(HookHost)));
  t.onTestFinished(() => {
    root.unmount();
    queries.clear();
  });
  await eventually(() => lastResult !== undefined);
  return {
    queries,
    get current() {
      return lastResult!.value;
    },
  };
}
