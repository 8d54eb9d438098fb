import assert from 'node:assert/strict';
import { examples } from '../../src/platform/http/openapi/examples.ts';
import type { RouteEntry, ServiceWithRoutes } from './every-route.ts';

/** Returns the paths of the pages and rows that the first request of a route changes, by the route's path. */
export async function createRowPaths({
  service,
  getCredentials,
}: ServiceWithRoutes): Promise<Readonly<Record<string, string>>> {
  const post = async (path: string, body: object) => {
    const headers = { ...(await getCredentials({ method: 'POST', url: path })), 'content-type': 'application/json' };
    const response = await fetch(`${service.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const made = (await response.json()) as { url: string };
    assert.ok(response.ok, `${path}: ${JSON.stringify(made)}`);
    return new URL(made.url).pathname;
  };
  const { owner } = service.database;
  const [ids] = await owner<{ user: string; session: string }>(
    `select user_id as user, id as session from idp.sessions where status = 'active' order by created_at desc limit 1`,
  );
  // A listed symbol that the catalog lacks.
  await owner(`delete from public.tracked_tickers_latest where symbol = 'NFLX'`);
  return {
    '/_bank/link/:token': await post('/api/connections/start', { kind: 'bank' }),
    '/_brokerage/portal/:token': await post('/api/connections/start', { kind: 'brokerage' }),
    '/_pay/checkout/:token': await post('/api/billing/checkout', { tier: 'pro' }),
    '/_idp/v1/sessions': `/_idp/v1/sessions?user_id=${ids!.user}`,
    '/_idp/v1/users/:id': `/_idp/v1/users/${ids!.user}`,
    '/_idp/v1/sessions/:id': `/_idp/v1/sessions/${ids!.session}`,
    '/_idp/v1/client/sessions/:id': `/_idp/v1/client/sessions/${ids!.session}`,
    '/api/securities/:symbol': '/api/securities/NFLX',
  };
}

/** Returns the path of a route with the parameters of its example. */
export function fillExample({ url, definition }: RouteEntry): string {
  const { params = {}, query = {} } = (definition && examples[definition.id]) ?? {};
  const path = url.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? 'x').replace('*', 'x');
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  return search === '' ? path : `${path}?${search}`;
}
