import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import type { HttpApp } from '../http/app-type.ts';

const declinedStorage = new AsyncLocalStorage<true>();

/** Whether a browser asks not to be followed: `Sec-GPC: 1`, or `DNT: 1` of older ones. */
export const hasDoNotTrack = (headers: IncomingHttpHeaders): boolean =>
  headers['sec-gpc'] === '1' || headers.dnt === '1';

/** Whether what runs now was caused by a request whose browser declined; only the rollout flags ask, events are told. */
export const isTrackingDeclined = (): boolean => declinedStorage.getStore() ?? false;

/** Remembers such requests until everything that they cause has run; others cost one look at two headers. */
export function registerDoNotTrackHook(app: HttpApp): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (hasDoNotTrack(request.headers)) declinedStorage.run(true, done);
    else done();
  });
}
