import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { TestContext } from 'vitest';

/** Setting with which a process can be read by `createMemoryReader`. */
export const READABLE_MEMORY = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/**
 * Returns a function that reads the resident bytes of all processes after a garbage collection. Without one, V8 lets the
 * heap of a process grow by 100 MB before it collects old objects, which looks like a leak. `output` is what the
 * processes printed with `READABLE_MEMORY`.
 */
export async function createMemoryReader(t: TestContext, output: string): Promise<() => Promise<number>> {
  const urls = [...output.matchAll(/^Debugger listening on (ws:\S+)$/gm)].map(([, url]) => url!);
  assert.notEqual(urls.length, 0, 'no process listens for a debugger');
  const debuggers = await Promise.all(urls.map((url) => connectDebugger(t, url)));
  return async () => {
    let bytes = 0;
    for (const call of debuggers) {
      // Finalizers of the first collection may release more objects, which the second one collects.
      await call('HeapProfiler.collectGarbage');
      await call('HeapProfiler.collectGarbage');
      const expression = 'process.memoryUsage.rss()';
      const { result } = await call<{ result: { value: number } }>('Runtime.evaluate', { expression });
      bytes += result.value;
    }
    return bytes;
  };
}

/** Connects to the debugger of a process. Returns a function that calls a method of the Chrome DevTools Protocol. */
async function connectDebugger(t: TestContext, url: string) {
  const socket = new WebSocket(url);
  t.onTestFinished(() => socket.close());
  const closed = once(socket, 'close').then(() => assert.fail('a process has ended'));
  await Promise.race([once(socket, 'open'), closed]);
  return async <Result>(method: string, params: object = {}): Promise<Result> => {
    socket.send(JSON.stringify({ id: 1, method, params }));
    // Without subscriptions to events, the next message is the response.
    const [{ data }] = (await Promise.race([once(socket, 'message'), closed])) as [MessageEvent<string>];
    return (JSON.parse(data) as { result: Result }).result;
  };
}
