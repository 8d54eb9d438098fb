/** Runs clean-up functions at its end: the context of a test, or a scope that an `afterAll` hook ends. */
export interface TestScope {
  onTestFinished(end: () => unknown): void;
}

/** Creates a scope for resources of a `beforeAll` hook. `end` runs the clean-up functions, the last one first. */
export function createScope(): TestScope & { end(): Promise<void> } {
  const ends: (() => unknown)[] = [];
  return {
    onTestFinished: (end) => {
      ends.push(end);
    },
    async end() {
      for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
    },
  };
}
