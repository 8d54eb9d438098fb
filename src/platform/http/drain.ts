import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';

/** What balancers ask; it says nothing of whether they still send others here. */
const PROBES = new Set(['/readyz', '/healthz']);
const QUIET_MS = 500;
const LOOK_MS = 100;
/** Clients that stay, such as ones without a balancer, do not hold a stop up for longer than so many times. */
const MOST = 3;

/** Judges when a stopping server may stop, by the requests that still arrive. */
export function createDrain() {
  let last = -Infinity;
  return {
    /** Notes a request that arrived. */
    arrived(url: string | undefined): void {
      if (url !== undefined && !PROBES.has(url)) last = performance.now();
    },
    /**
     * Resolves after `ms`, or once nobody has been sent here for half a second, where that comes later: a balancer on a
     * busy machine sees late that this server is not ready. After three times `ms` at the latest.
     */
    async over(ms: number): Promise<void> {
      const begun = performance.now();
      const ends = (now: number): boolean =>
        now - begun >= MOST * ms || (now - begun >= ms && now - last >= Math.min(QUIET_MS, ms));
      while (!ends(performance.now())) {
        await sleep(Math.min(LOOK_MS, ms));
        // Timers come before what waits to be read: where this process was held up, requests lie there.
        await turn();
      }
    },
  };
}
