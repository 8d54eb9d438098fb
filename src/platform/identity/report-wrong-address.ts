import type { HttpApp } from '../http/app-type.ts';
import { describeWrongAddress, listAllowedOrigins } from './origins.ts';

/** Logs the first request from a page that was opened at another address than BASE_URL, where no sign-in works. */
export function reportWrongAddress(scope: HttpApp, baseUrl: string): void {
  const origins = listAllowedOrigins(baseUrl);
  let isReported = false;
  scope.addHook('onRequest', async ({ headers, log }) => {
    if (isReported || describeWrongAddress(headers, origins) === undefined) return;
    isReported = true;
    log.error(
      { origin: headers.origin, BASE_URL: baseUrl },
      'a page was opened at another address than BASE_URL, so its sign-ins are rejected: set BASE_URL to the origin, ' +
        'or redirect there',
    );
  });
}
