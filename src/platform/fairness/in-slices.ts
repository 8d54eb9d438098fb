import { setImmediate } from 'node:timers/promises';

/** Longest time in ms that a slice of work takes, save for its last item. */
const SLICE_MS = 10;

/** Calls a function for each item. Other work of the process runs after each slice of time. */
export async function forEachInSlices<Item>(items: Iterable<Item>, run: (item: Item) => void): Promise<void> {
  let startedAt = performance.now();
  for (const item of items) {
    run(item);
    if (performance.now() - startedAt < SLICE_MS) continue;
    await setImmediate();
    startedAt = performance.now();
  }
}

/** Returns the results of a function for each item, computed as by `forEachInSlices`. */
export async function mapInSlices<Item, Result>(items: Iterable<Item>, map: (item: Item) => Result): Promise<Result[]> {
  const results: Result[] = [];
  await forEachInSlices(items, (item) => {
    results.push(map(item));
  });
  return results;
}
