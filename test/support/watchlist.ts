import { afterAll, beforeAll } from 'vitest';
import { createAnalytics } from '../../src/platform/analytics/analytics.ts';
import { type Billing, createBilling } from '../../src/features/billing/billing.ts';
import { createFeatureFlags } from '../../src/platform/feature-flags/feature-flags.ts';
import { createLogger } from '../../src/platform/http/logger.ts';
import { createLookupRateLimiter } from '../../src/market-data/services/catalog/lookup-rate-limit.ts';
import type { WatchlistDependencies, WatchlistMarket } from '../../src/features/watchlist/context.ts';
import { watchlist, type Watchlist } from '../../src/features/watchlist/contract.ts';
import { ROLLOUT_FLAG } from '../../src/features/watchlist/rollout-gate.ts';
import { createWatchlist, type WatchlistFeature } from '../../src/features/watchlist/watchlist.ts';
import { assertDocumented } from './documented-responses.ts';
import { type ApiResponse, type IdentityApp, sendRequest, startIdentityApp, TestBrowser } from './identity.ts';
import { insertTickers, createCatalogMarket, type MarketLog } from './watchlist-market.ts';
import { createScope, type TestScope } from './test-scope.ts';

interface CapturedEvent {
  idpId: string;
  event: string;
  properties: Readonly<Record<string, unknown>>;
}

/** A signed-in member who calls the API. Every response is compared with the OpenAPI document. */
export interface TestMember {
  idpId: string;
  token: string;
  call(method: string, path: string, body?: object | string, headers?: Record<string, string>): Promise<ApiResponse>;
  /** Adds symbols one after another and asserts each success. */
  addSymbols(...symbols: string[]): Promise<void>;
  /** Returns the list in the form of the contract. */
  getWatchlist(): Promise<Watchlist>;
  /** Returns the list's symbols in order. */
  getSymbols(): Promise<string[]>;
}

export interface WatchlistApp extends IdentityApp, MarketLog {
  feature: WatchlistFeature;
  billing: Billing;
  /** Returns a member's captured events: changes of the list in order, then events without a change. */
  getEvents(idpId: string): Promise<CapturedEvent[]>;
  signUp(tier?: 'free' | 'pro' | 'max'): Promise<TestMember>;
  /** The state of the market and the clock, which tests change. */
  market: WatchlistMarket & { unavailable: Set<string>; pending: Set<string> };
}

/** The current time of the tests: Wednesday 2026-11-18, 15:30 in New York. */
export const NOW = new Date('2026-11-18T20:30:00Z');

/** Returns symbols of this number of companies in the catalog. */
export const getCompanySymbols = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `AAA${String(i + 1).padStart(2, '0')}`);

type DependencyOverrides = (deps: WatchlistDependencies) => Partial<WatchlistDependencies>;

/**
 * Starts one watchlist for all tests of the file. `onStart` receives it and is awaited before the first test. It closes
 * after the last.
 */
export function setUpWatchlistApp(onStart: (app: WatchlistApp) => unknown, overrides?: DependencyOverrides): void {
  const scope = createScope();
  beforeAll(async () => onStart(await startWatchlistApp(scope, overrides)));
  afterAll(() => scope.end());
}

/**
 * Starts the watchlist over HTTP with its own identity, billing, flags and catalog. `overrides` replace single
 * dependencies.
 */
async function startWatchlistApp(t: TestScope, overrides: DependencyOverrides = () => ({})): Promise<WatchlistApp> {
  const log: MarketLog = { backfills: [], registered: [], registrationRequests: [], lookups: [] };
  const events: CapturedEvent[] = [];
  let feature!: WatchlistFeature;
  let billing!: Billing;
  let market!: WatchlistApp['market'];
  const accounts = { demoAccountId: undefined, sampleUserId: undefined as string | undefined };
  const identityApp = await startIdentityApp(t, { accounts }, async (app, identity) => {
    const { database } = identity.options;
    const logger = createLogger('silent');
    billing = createBilling({ database, logger, guards: identity.guards });
    const flags = createFeatureFlags({ sql: database.service, logger, ttlMs: 0 });
    await insertTickers(database.service);
    market = createCatalogMarket(database.service, log);
    const deps: WatchlistDependencies = {
      database,
      logger,
      guards: identity.guards,
      isOn: (flag, idpId) => flags.isOn(flag, idpId),
      getTier: billing.getTier,
      getWatchlistLimit: billing.getWatchlistLimit,
      market,
      // The clock is fixed, so that no minute passes while a slow machine tests.
      lookUp: createLookupRateLimiter(() => 0),
      listPositions: async () => [],
      capture: (idpId, event, properties) => {
        events.push({ idpId, event, properties });
      },
      captureInTransaction: createAnalytics({ sql: database.service, logger }).captureInTransaction,
      now: () => NOW,
    };
    feature = createWatchlist({ ...deps, ...overrides(deps) });
    await feature.register(app);
  });
  return {
    ...identityApp,
    feature,
    billing,
    ...log,
    market,
    async getEvents(idpId) {
      const outboxEvents = await identityApp.owner<CapturedEvent & { [column: string]: unknown }>(
        `select idp_id as "idpId", event, properties from public.analytics_events where idp_id = $1
          order by occurred_at`,
        [idpId],
      );
      return [...outboxEvents, ...events.filter((event) => event.idpId === idpId)];
    },
    async signUp(tier = 'free') {
      const browser = new TestBrowser(identityApp.url);
      const { userId, sessionId } = await browser.signUp();
      const member = createTestMember(identityApp.url, userId, await browser.token(sessionId));
      if ((await member.call('GET', '/api/me')).status !== 200) throw new Error('The new member is not let in.');
      if (tier !== 'free') await billing.setTier(userId, tier);
      return member;
    },
  };
}

function createTestMember(url: string, idpId: string, token: string): TestMember {
  const call: TestMember['call'] = async (method, path, body, headers = {}) => {
    const response = await sendRequest(`${url}${path}`, method, body, { authorization: `Bearer ${token}`, ...headers });
    assertDocumented(method, path, response, headers);
    return response;
  };
  const list = async () => watchlist.parse((await call('GET', '/api/watchlist')).body);
  return {
    idpId,
    token,
    call,
    getWatchlist: list,
    getSymbols: async () => (await list()).items.map(({ symbol }) => symbol),
    async addSymbols(...symbols) {
      for (const symbol of symbols) {
        const { status, body } = await call('POST', '/api/watchlist', { symbol });
        if (status !== 201) throw new Error(`${symbol} was answered with ${status}: ${JSON.stringify(body)}`);
      }
    },
  };
}

/** Turns the rollout off for one member. */
export async function disableRollout(app: Pick<WatchlistApp, 'owner'>, idpId: string): Promise<void> {
  await app.owner(`insert into public.feature_flag_members (flag, idp_id, enabled) values ($1, $2, false)`, [
    ROLLOUT_FLAG,
    idpId,
  ]);
}
