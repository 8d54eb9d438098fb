import type { IncomingHttpHeaders } from 'node:http';
import { type ApiCall, type ApiErrorResult, apiError, type ApiResult } from './api-result.ts';

/** The header by which the official client confirms that a browser may hold the API key. */
const OPT_IN_HEADER = 'anthropic-dangerous-direct-browser-access';
const ALLOWED_ORIGIN = ['access-control-allow-origin', '*', 'access-control-expose-headers', '*'];
const NO_OPT_IN = `CORS requests must set '${OPT_IN_HEADER}' header`;
const TURNED_OFF =
  'CORS requests are not allowed by the settings of this service. Call it from a server, or ask its operator.';

/**
 * Adds the headers of a permitted cross-origin request, or returns a 401 error in the words of the real service. Keys
 * are sent in headers and never in cookies, so no response allows credentials.
 */
export function checkBrowserAccess({ request, headers }: ApiCall, isAllowed: boolean): ApiErrorResult | undefined {
  if (!isCrossOrigin(request.headers)) return undefined;
  if (!isAllowed) return apiError(401, TURNED_OFF);
  headers.push(...ALLOWED_ORIGIN);
  return request.headers[OPT_IN_HEADER] === 'true' ? undefined : apiError(401, NO_OPT_IN);
}

/** Returns whether a request asks for permission before a cross-origin request. */
export function isPreflight(method: string, headers: IncomingHttpHeaders): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && 'access-control-request-method' in headers;
}

/** Answers a preflight request. `*` does not include `authorization`, so its name is listed. */
export function answerPreflight({ headers }: ApiCall): ApiResult {
  headers.push(
    ...ALLOWED_ORIGIN,
    'access-control-allow-methods',
    'GET, POST',
    'access-control-allow-headers',
    'authorization, *',
    'access-control-max-age',
    '600',
  );
  return { ok: true, json: '{}' };
}

/** Returns whether a page of another origin calls. A browser also sends `origin` for the service's own pages. */
function isCrossOrigin({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (origin === undefined || site === 'same-origin') return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}
