import { setTimeout as sleep } from 'node:timers/promises';

/** Batches calls. `work` receives the distinct names of the next `milliseconds`, and a call settles with its batch. */
export function batchCalls(
  milliseconds: number,
  runBatch: (names: readonly string[]) => Promise<void>,
): (name: string) => Promise<void> {
  let pendingBatch: { names: Set<string>; done: Promise<void> } | undefined;
  const startBatch = async (names: ReadonlySet<string>): Promise<void> => {
    await sleep(milliseconds);
    pendingBatch = undefined;
    await runBatch([...names]);
  };
  return (name) => {
    if (!pendingBatch) {
      const names = new Set<string>();
      pendingBatch = { names, done: startBatch(names) };
    }
    pendingBatch.names.add(name);
    return pendingBatch.done;
  };
}
