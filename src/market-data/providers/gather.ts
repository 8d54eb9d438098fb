import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Turns single wishes into few questions: those of the next `milliseconds` are handed to `work` together, each name once. A wish ends, or
 * fails, with the work that it was part of.
 */
export function gather(
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
