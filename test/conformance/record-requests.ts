import { subscribe } from 'node:diagnostics_channel';

/** Origins off this machine that this process sends requests to from now on, through whatever library. */
export function recordForeignRequests(): string[] {
  const foreignRequests: string[] = [];
  subscribe('undici:request:create', (message) => {
    const { origin } = (message as { request: { origin: string | URL } }).request;
    if (new URL(origin).hostname !== '127.0.0.1') foreignRequests.push(String(origin));
  });
  return foreignRequests;
}
