import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'vitest';
import { Worker } from 'node:worker_threads';

/** Returns the number of threads of this process with a lower priority. */
const lowered = (): number => readdirSync('/proc/self/task').filter((thread) => niceness(thread) > 0).length;

/** Returns the niceness of a thread, or 0 if the thread has ended since the listing. */
function niceness(thread: string): number {
  try {
    return Number(readFileSync(`/proc/self/task/${thread}/stat`, 'latin1').split(') ')[1]!.split(' ')[16]);
  } catch {
    return 0;
  }
}

test('lowers the priority of the calling thread only', async (t) => {
  t.skip(process.platform !== 'linux', 'threads have their own priorities only on Linux');
  const before = lowered();
  const address = new URL('lower-priority.ts', import.meta.url).href;
  const source = `const { lowerPriority } = await import(${JSON.stringify(address)});
    lowerPriority();
    (await import('node:worker_threads')).parentPort.once('message', () => {}).postMessage('done');`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`));
  await once(worker, 'message');
  assert.equal(lowered(), before + 1);
  await worker.terminate();
});
