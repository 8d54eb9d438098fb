import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

/** Threads of this process that step back behind the others. */
const steppedBack = (): number => readdirSync('/proc/self/task').filter((thread) => niceness(thread) > 0).length;

/** A thread may end between the list and the look at it; it stood back behind nobody then. */
function niceness(thread: string): number {
  try {
    return Number(readFileSync(`/proc/self/task/${thread}/stat`, 'latin1').split(') ')[1]!.split(' ')[16]);
  } catch {
    return 0;
  }
}

test('the thread that asks for it steps back, and no other', { skip: process.platform !== 'linux' }, async () => {
  const before = steppedBack();
  const asker = `const { lowerPriority } = await import(${JSON.stringify(new URL('lower-priority.ts', import.meta.url).href)});
    lowerPriority();
    (await import('node:worker_threads')).parentPort.once('message', () => {}).postMessage('asked');`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(asker)}`));
  await once(worker, 'message');
  assert.equal(steppedBack(), before + 1);
  await worker.terminate();
});
