import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { TestScope } from './test-scope.ts';

interface Requests {
  url: string;
  headers: Record<string, string>;
  count: number;
}

/**
 * Starts a process that sends requests, so that their processor time is not that of a service in this one. Returns a
 * function that sends the same GET request `count` times, one after another, and returns the statuses. It rejects if the
 * process ends, for instance because a request failed.
 */
export async function startRequestProcess(t: TestScope): Promise<(requests: Requests) => Promise<number[]>> {
  const child: ChildProcess = fork(import.meta.filename, { execArgv: [] });
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`the process of the requests ended with code ${code}`);
  });
  // The end of the test ends the process too.
  exited.catch(() => {});
  t.onTestFinished(() => {
    if (child.connected) child.disconnect();
  });
  return async (requests) => {
    child.send(requests);
    const [statuses] = (await Promise.race([once(child, 'message'), exited])) as [number[]];
    return statuses;
  };
}

async function send({ url, headers, count }: Requests): Promise<number[]> {
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent += 1) {
    const response = await fetch(url, { headers: { 'accept-encoding': 'br', ...headers }, redirect: 'manual' });
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  return statuses;
}

// The child process runs this file as its program.
if (process.argv[1] === import.meta.filename)
  process.on('message', (requests: Requests) => {
    void send(requests).then((statuses) => process.send!(statuses));
  });
