import { setTimeout as sleep } from 'node:timers/promises';

/** Batches calls: `work` gets the names of the next `milliseconds`, each once; a call settles with its batch. */
export function batchCalls(
  milliseconds: number,
  work: (names: readonly string[]) => Promise<void>,
): (name: string) => Promise<void> {
  let waiting: { names: Set<string>; done: Promise<void> } | undefined;
  const begin = async (names: ReadonlySet<string>): Promise<void> => {
    await sleep(milliseconds);
    waiting = undefined;
    await work([...names]);
  };
  return (name) => {
    if (!waiting) {
      const names = new Set<string>();
      waiting = { names, done: begin(names) };
    }
    waiting.names.add(name);
    return waiting.done;
  };
}
