import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import type { HttpApp } from '../http/app-type.ts';

const declinedStorage = new AsyncLocalStorage<true>();

/** Returns whether a browser declines tracking: `Sec-GPC: 1`, or `DNT: 1` in older browsers. */
export const hasDoNotTrack = (headers: IncomingHttpHeaders): boolean =>
  headers['sec-gpc'] === '1' || headers.dnt === '1';

/**
 * Returns whether the browser of the current request declines tracking. For rollout flags, which have no access to the
 * request.
 */
export const isTrackingDeclined = (): boolean => declinedStorage.getStore() ?? false;

/**
 * Makes `isTrackingDeclined` return true during each request whose browser declines tracking.
 */
export function registerDoNotTrackHook(app: HttpApp): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (hasDoNotTrack(request.headers)) declinedStorage.run(true, done);
    else done();
  });
}
