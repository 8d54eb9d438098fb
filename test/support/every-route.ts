import type { RouteLimit } from '../../src/platform/http/app-type.ts';
import type { Route } from '../../src/platform/http/contract.ts';
import { SITE, TestBrowser } from './identity.ts';
import { getRouteNames, recordRoutes } from './record-routes.ts';
import { startService, type TestService } from './service.ts';

const REVENUE_TOKEN = 'e0'.repeat(32);
const OPERATOR_TOKEN = 'f0'.repeat(32);
const METRICS_TOKEN = 'a0'.repeat(32);
const IDP_SECRET_KEY = `sk_test_${'1'.repeat(32)}`;

export interface RouteEntry {
  method: string;
  url: string;
  /** The definition in the contract, if there is one. */
  definition: Route | undefined;
  /** The limit of the guard or route, if there is one. */
  limit: RouteLimit | undefined;
  /** The size limit of its body in bytes, where the route sets its own. */
  bodyLimit: number | undefined;
}

export interface ServiceWithRoutes {
  service: TestService;
  /** Every route of the service such as `POST /api/watchlist/:id`, including `/v1` and the sandboxes. */
  routes: readonly RouteEntry[];
  /** Returns headers that authorize a request to the route, if it requires a credential. */
  getCredentials(route: Pick<RouteEntry, 'method' | 'url'>): Promise<Record<string, string>>;
}

/**
 * Starts a whole service with the sandboxes and without limits, and provides the credentials for each guard. `settings`
 * replace the test's.
 */
export async function startServiceWithRoutes(settings: Record<string, string> = {}): Promise<ServiceWithRoutes> {
  const { started: service, routes } = await recordRoutes(() =>
    startService({
      BASE_URL: SITE,
      SANDBOX: 'on',
      WORKER: 'off',
      TOKEN_COUNT_RATE_LIMITS: 'off',
      REFERRAL_RATE_LIMITS: 'off',
      API_RATE_LIMIT: '1000000',
      DEMO_ACCESS_RATE_LIMIT: '1000000',
      TOKEN_COUNT_FETCH_URLS: 'off',
      REVENUE_OPERATOR_TOKEN: REVENUE_TOKEN,
      OPERATOR_TOKEN,
      METRICS_TOKEN,
      IDP_SECRET_KEY,
      ...settings,
    }),
  );
  const browser = new TestBrowser(service.url);
  const { email, password } = service.firstRun.members.find(({ tier }) => tier === 'max')!;
  const signedIn = await browser.call('POST', '/client/sign_ins', { identifier: email, password });
  const createBearerHeader = (token: string) => ({ authorization: `Bearer ${token}` });
  const getMemberHeader = async () =>
    createBearerHeader(await browser.recentToken(signedIn.body.response.created_session_id));
  const tokenResponse = await fetch(`${service.url}/api/assistant/tokens`, {
    method: 'POST',
    headers: { ...(await getMemberHeader()), 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Test' }),
  });
  const { token: mcpToken } = (await tokenResponse.json()) as { token: string };
  const operatorSession = await fetch(`${service.url}/api/operator/session`, {
    method: 'POST',
    headers: createBearerHeader(OPERATOR_TOKEN),
  });
  const operatorCookie = operatorSession.headers.get('set-cookie')?.split(';')[0] ?? '';
  const credentials: readonly [RegExp, Record<string, string>][] = [
    [/^\w+ \/v1\//, { 'x-api-key': service.firstRun.api_key, 'svc-version': '2023-06-01' }],
    [/^\w+ \/metrics/, createBearerHeader(METRICS_TOKEN)],
    [/^\w+ \/_idp\/v1\/(client|me)\b/, { origin: SITE, cookie: browser.cookie }],
    [/^\w+ \/_idp\//, createBearerHeader(IDP_SECRET_KEY)],
    [/^\w+ \/mcp/, createBearerHeader(mcpToken)],
    [/^\w+ \/api\/internal\//, createBearerHeader(service.firstRun.operator_token)],
    [/^\w+ \/api\/operator\/revenue/, createBearerHeader(REVENUE_TOKEN)],
    [/^POST \/api\/operator\/session/, createBearerHeader(OPERATOR_TOKEN)],
    [/^\w+ \/api\/operator\//, { origin: SITE, cookie: operatorCookie }],
  ];
  const routeEntries = getRouteNames(routes).map((name) => {
    const [method = '', url = ''] = name.split(' ');
    const found = routes.find((route) => route.url === url && [route.method].flat().includes(method));
    const config = found?.config;
    return {
      method,
      url,
      definition: config?.definition,
      limit: config?.guard?.limit ?? config?.limit,
      bodyLimit: found?.bodyLimit,
    };
  });
  return {
    service,
    routes: routeEntries,
    getCredentials: async ({ method, url }) =>
      credentials.find(([pattern]) => pattern.test(`${method} ${url}`))?.[1] ??
      (url.startsWith('/api/') ? getMemberHeader() : {}),
  };
}
