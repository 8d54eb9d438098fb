import type { HttpApp } from '../http/app-type.ts';
import { explainOriginMismatch, listAllowedOrigins } from './origins.ts';

/** Number of origins that are logged. Any client can send a false one, so one of them must not hide a real one. */
const MAX_LOGGED_ORIGINS = 10;

/**
 * Logs the first request from each origin at which a page was opened that is not that of BASE_URL, since no sign-in
 * works there. Later origins than the first `MAX_LOGGED_ORIGINS` are not logged, so that the log stays small.
 */
export function logOriginMismatches(scope: HttpApp, baseUrl: string): void {
  const allowed = listAllowedOrigins(baseUrl);
  const logged = new Set<string>();
  scope.addHook('onRequest', async ({ headers, log }) => {
    const { origin } = headers;
    if (origin === undefined || logged.has(origin) || logged.size === MAX_LOGGED_ORIGINS) return;
    if (explainOriginMismatch(headers, allowed) === undefined) return;
    logged.add(origin);
    log.error(
      { origin, BASE_URL: baseUrl },
      'a page was opened at another address than BASE_URL, so its sign-ins are rejected: set BASE_URL to the origin, ' +
        'or redirect there',
    );
  });
}
