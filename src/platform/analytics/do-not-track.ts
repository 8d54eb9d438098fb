import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import type { HttpApp } from '../http/app-type.ts';

const declinedStorage = new AsyncLocalStorage<true>();

/** Returns whether a browser declines tracking: `Sec-GPC: 1`, or `DNT: 1` in older browsers. */
export const hasDoNotTrack = (headers: IncomingHttpHeaders): boolean =>
  headers['sec-gpc'] === '1' || headers.dnt === '1';

/**
 * Returns whether the current request came from a browser that declined tracking. Only rollout flags use this. Events
 * receive the value as an argument.
 */
export const isTrackingDeclined = (): boolean => declinedStorage.getStore() ?? false;

/**
 * Stores the choice of such requests for everything that runs on their behalf. Other requests cost a check of two
 * headers.
 */
export function registerDoNotTrackHook(app: HttpApp): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (hasDoNotTrack(request.headers)) declinedStorage.run(true, done);
    else done();
  });
}
