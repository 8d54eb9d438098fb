/** What runs functions at its end: a test's context, or a scope that an `afterAll` hook ends. */
export interface TestScope {
  onTestFinished(end: () => unknown): void;
}

/** A scope for what a `beforeAll` hook starts; `end` runs the functions one by one, the last one first. */
export function createScope(): TestScope & { end(): Promise<void> } {
  const ends: (() => unknown)[] = [];
  return {
    onTestFinished: (end) => void ends.push(end),
    async end() {
      for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
    },
  };
}
