import assert from 'node:assert/strict';
import { payCheckout } from '../../support/billing-app.ts';
import { completeBankPage, completeBrokeragePortal, parseReturn } from '../../support/connections-app.ts';
import { eventually } from '../../support/eventually.ts';
import { type ApiResponse, sendRequest, TestBrowser } from '../../support/identity.ts';
import type { TestService } from '../../support/service.ts';

/** Sends a request to a route such as `GET /api/accounts/:id` with values for its parameters, and asserts success. */
type Visit = (
  route: string,
  options?: { params?: Record<string, string>; query?: string; body?: object; bearer?: string },
) => Promise<ApiResponse>;

/** Called with each visited route after its response. */
type OnVisit = (route: string) => Promise<void>;

interface Walker {
  service: TestService;
  browser: TestBrowser;
  visit: Visit;
}

/**
 * Signs up a member, visits every route of a member with rows of all kinds, and deletes the account. Each visit must
 * succeed. The service needs the sandboxes and a model.
 */
export async function walkMemberRoutes(service: TestService, onVisit: OnVisit): Promise<void> {
  const browser = new TestBrowser(service.url, service.url);
  const { userId, sessionId } = await browser.signUp();
  await onVisit('POST /_idp/v1/client/sign_ups');
  const visit: Visit = async (route, { params = {}, query = '', body, bearer } = {}) => {
    const [method = '', pattern = ''] = route.split(' ');
    const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!));
    const response = await sendRequest(`${service.url}${path}${query}`, method, body, {
      authorization: `Bearer ${bearer ?? (await browser.recentToken(sessionId))}`,
      origin: service.url,
      accept: 'application/json, text/event-stream',
    });
    assert.ok(response.status < 300, `${route} answered ${response.status}: ${JSON.stringify(response.body)}`);
    await onVisit(route);
    return response;
  };
  const walker = { service, browser, visit };
  await visit('GET /api/me');
  await useWatchlist(walker);
  await useAlerts(walker);
  await useAccounts(walker);
  await useConnections(walker);
  await useBilling(walker);
  await useSettings(walker);
  await useAssistant(walker);
  await readPages(walker);
  await deleteRows(walker);
  const deleted = await browser.call('POST', '/me?_method=DELETE', {});
  assert.equal(deleted.status, 200);
  await eventually(
    async () => (await service.database.owner('select from public.all_users where idp_id = $1', [userId])).length === 0,
  );
  await onVisit('DELETE /_idp/v1/me');
}

async function useWatchlist({ visit }: Walker): Promise<void> {
  await visit('POST /api/watchlist', { body: { symbol: 'AAPL' } });
  await visit('POST /api/watchlist', { body: { symbol: 'NVDA' } });
  const text = 'symbol\nMSFT\nAMZN';
  await visit('POST /api/watchlist/import', { query: '?dry_run=1', body: { text } });
  await visit('POST /api/watchlist/import', { body: { text } });
  const { body } = await visit('GET /api/watchlist');
  const ids = (body.items as { id: string }[]).map(({ id }) => id);
  await visit('PUT /api/watchlist/order', { body: { ids: ids.toReversed() } });
  await visit('PATCH /api/watchlist/:id', { params: { id: ids[0]! }, body: { position: 1 } });
  await visit('DELETE /api/watchlist/:id', { params: { id: ids[1]! } });
  await visit('GET /api/watchlist/ticker/:symbol', { params: { symbol: 'AAPL' } });
  await visit('GET /api/watchlist/earnings');
  await visit('GET /api/watchlist/export.csv');
}

async function useAlerts({ visit }: Walker): Promise<void> {
  const terms = { kind: 'above', threshold: 1e6, repeats: 'once' };
  const created = await visit('POST /api/alerts', { body: { symbol: 'AAPL', ...terms } });
  const { id } = created.body.alert as { id: string };
  await visit('PATCH /api/alerts/:id', { params: { id }, body: { ...terms, threshold: 2e6, note: null } });
  await visit('GET /api/alerts');
  await visit('GET /api/alerts/unread');
  await visit('POST /api/alerts/read', { body: { ids: [id] } });
  await visit('PUT /api/alerts/mail', { body: { enabled: false } });
  await visit('DELETE /api/alerts/:id', { params: { id } });
}

async function useAccounts({ visit }: Walker): Promise<void> {
  const created = await visit('POST /api/accounts', { body: { name: 'Savings', currency: 'USD', balance: 1250.5 } });
  const { id } = created.body.account as { id: string };
  await visit('PATCH /api/accounts/:id', { params: { id }, body: { balance: 1300 } });
  const holding = { account_id: id, symbol: 'AAPL', quantity: 10, cost_basis: 1800 };
  const added = await visit('POST /api/investments/holdings', { body: holding });
  await visit('POST /api/investments/holdings', { body: { ...holding, symbol: 'MSFT', cost_basis: null } });
  const params = { id: added.body.holding.id as string };
  await visit('PATCH /api/investments/holdings/:id', { params, body: { quantity: 11 } });
  await visit('PATCH /api/investments/holdings/:id', { params, body: { quantity: 22, split: true } });
  const imported = await visit('POST /api/holdings/import', { body: { text: 'Symbol,Quantity\nNVDA,1\n' } });
  await visit('DELETE /api/holdings/import-columns/:header_id', {
    params: { header_id: imported.body.table.header_id },
  });
  await visit('POST /api/holdings/import/:id/undo', { params: { id: imported.body.import_id } });
  await visit('DELETE /api/investments/holdings/:id', { params });
  await visit('POST /api/investments/holdings', { body: holding });
}

async function useConnections({ service, visit }: Walker): Promise<void> {
  await visit('GET /api/connections/offers');
  const connect = async (kind: string, complete: (url: string) => Promise<ApiResponse>): Promise<ApiResponse> => {
    const { body } = await visit('POST /api/connections/start', { body: { kind } });
    const page = await complete(body.url);
    const returned = kind === 'brokerage' ? parseReturn(page) : undefined;
    let finished: ApiResponse | undefined;
    await eventually(async () => {
      finished = await visit('POST /api/connections/finish', { body: { attempt_id: body.attempt_id, returned } });
      return finished.body.status === 'connected';
    });
    return finished!;
  };
  const bank = await connect('bank', (url) => completeBankPage(service, url));
  const { connection } = bank.body as { connection: { id: string; accounts: { id: string; name: string }[] } };
  const accounts = connection.accounts.map(({ id }) => id);
  await connect('brokerage', (url) => completeBrokeragePortal(service, url));
  await visit('GET /api/connections');
  await visit('POST /api/connections/:id/refresh', { params: { id: connection.id } });
  await visit('PATCH /api/accounts/:id', { params: { id: accounts[0]! }, body: { name: 'Everyday' } });
  const duplicate = await visit('POST /api/accounts', {
    body: { name: connection.accounts[1]!.name, currency: 'USD', balance: 5 },
  });
  await visit('GET /api/connections');
  await visit('POST /api/accounts/:id/merge', {
    params: { id: accounts[1]! },
    body: { duplicate_id: duplicate.body.account.id },
  });
  await visit('POST /api/accounts/:id/keep-duplicate', { params: { id: accounts[0]! } });
}

async function useBilling({ service, visit }: Walker): Promise<void> {
  await visit('GET /api/billing');
  const { body } = await visit('POST /api/billing/checkout', { body: { tier: 'pro', entry: 'watchlist_limit' } });
  await payCheckout(service, body.url);
  await visit('POST /api/billing/sync', { body: { checkout_id: body.checkout_id } });
  await visit('POST /api/billing/preview', { body: { tier: 'max' } });
  await visit('POST /api/billing/change', { body: { tier: 'max' } });
  await visit('POST /api/billing/cancel');
  await visit('POST /api/billing/resume');
  await visit('POST /api/billing/portal');
  await visit('GET /api/billing');
  await visit('GET /api/plans');
}

async function useSettings({ visit }: Walker): Promise<void> {
  await visit('POST /api/api-keys', { body: { name: 'Mine' } });
  const { body } = await visit('GET /api/api-keys');
  await visit('DELETE /api/api-keys/:id', { params: { id: body.api_keys[0].id } });
  const layout = await visit('GET /api/dashboard');
  const cards = (layout.body.cards as { id: string }[]).map(({ id }) => ({ id }));
  await visit('PUT /api/dashboard', { body: { cards } });
  await visit('PATCH /api/portfolio/settings', { body: { base_currency: 'GBP' } });
  await visit('GET /api/portfolio/settings');
  await visit('PUT /api/analytics/choice', { body: { enabled: true } });
  await visit('GET /api/analytics/choice');
  const event = { event: 'watchlist_viewed', properties: { feature: 'watchlist' } };
  await visit('POST /api/analytics/events', { body: { events: [event] } });
  await visit('GET /api/referrals/get-link');
  await visit('GET /api/referrals/stats');
  await visit('GET /api/referrals/history');
}

async function useAssistant({ visit }: Walker): Promise<void> {
  const status = await visit('GET /api/assistant');
  const ask = (text: string, conversation?: string) =>
    visit('POST /api/assistant/messages', { body: { text, ...(conversation && { conversation_id: conversation }) } });
  await ask('[tool my_position {"symbol":"MSFT"}]');
  const first = await visit('GET /api/assistant/conversations');
  const { id } = first.body.conversations[0] as { id: string };
  await ask('And now?', id);
  await visit('GET /api/assistant/conversations/:id', { params: { id } });
  await visit('POST /api/assistant/conversations/:id/stop', { params: { id } });
  await visit('DELETE /api/assistant/conversations/:id', { params: { id } });
  await ask('Another question');
  await visit('DELETE /api/assistant/conversations');
  for (const { kind } of status.body.reports as { kind: string }[])
    await visit('GET /api/assistant/reports/:kind', { params: { kind }, query: '?symbol=MSFT' });
  const created = await visit('POST /api/assistant/tokens', { body: { name: 'Mine' } });
  const { body } = await visit('GET /api/assistant/tokens');
  const bearer = created.body.token as string;
  const sendMessage = (method: string, params: object) =>
    visit('POST /mcp', { bearer, body: { jsonrpc: '2.0', id: 1, method, params } });
  await sendMessage('tools/list', {});
  for (const [name, args] of Object.entries(TOOL_ARGUMENTS)) await sendMessage('tools/call', { name, arguments: args });
  await visit('DELETE /api/assistant/tokens/:id', { params: { id: body.tokens[0].id } });
}

/** Arguments of each tool of the assistant. */
const TOOL_ARGUMENTS: Readonly<Record<string, object>> = {
  watchlist_today: {},
  net_worth_change: { days: 30 },
  news: { symbol: 'MSFT' },
  my_position: { symbol: 'MSFT' },
  reports_ahead: { days: 30 },
  why_moving: { symbol: 'MSFT' },
};

async function readPages({ visit }: Walker): Promise<void> {
  await visit('GET /api/home');
  await visit('GET /api/watchlist');
  for (const query of ['', '?explain=1']) {
    await visit('GET /api/accounts', { query });
    await visit('GET /api/investments/holdings', { query });
    await visit('GET /api/investments/positions', { query });
    await visit('GET /api/portfolio/holdings', { query });
    await visit('GET /api/net-worth', { query });
  }
  await visit('GET /api/portfolio/holdings/past-prices');
  await visit('GET /api/investments/holdings/export.csv');
  await visit('GET /api/net-worth/export.csv');
  await visit('GET /api/investments/search', { query: '?q=app' });
  await visit('GET /api/securities/:symbol', { params: { symbol: 'AAPL' } });
  await visit('GET /api/earnings');
  await visit('GET /api/dividends');
  await visit('GET /api/news');
  await visit('GET /api/me/export');
}

async function deleteRows({ visit }: Walker): Promise<void> {
  const { body } = await visit('GET /api/accounts');
  const manual = (body.accounts as { id: string; kind: string }[]).find(({ kind }) => kind === 'manual')!;
  await visit('DELETE /api/accounts/:id', { params: { id: manual.id } });
  const connections = await visit('GET /api/connections');
  for (const { id } of connections.body.connections as { id: string }[])
    await visit('DELETE /api/connections/:id', { params: { id } });
}
