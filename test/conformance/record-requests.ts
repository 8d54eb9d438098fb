import { subscribe } from 'node:diagnostics_channel';

/** Records the external origins of all later requests of this process, through any library. */
export function recordForeignRequests(): string[] {
  const foreignRequests: string[] = [];
  subscribe('undici:request:create', (message) => {
    const { origin } = (message as { request: { origin: string | URL } }).request;
    if (new URL(origin).hostname !== '127.0.0.1') foreignRequests.push(String(origin));
  });
  return foreignRequests;
}
