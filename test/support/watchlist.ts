import { afterAll, beforeAll } from 'vitest';
import { createAnalytics } from '../../src/platform/analytics/analytics.ts';
import { type Billing, createBilling } from '../../src/features/billing/billing.ts';
import { createFeatureFlags } from '../../src/platform/feature-flags/feature-flags.ts';
import { createLogger } from '../../src/platform/http/logger.ts';
import { limitLookUps } from '../../src/market-data/services/catalog/lookup-rate-limit.ts';
import type { WatchlistDependencies, WatchlistMarket } from '../../src/features/watchlist/context.ts';
import { watchlist, type Watchlist } from '../../src/features/watchlist/contract.ts';
import { ROLLOUT_FLAG } from '../../src/features/watchlist/gate.ts';
import { createWatchlist, type WatchlistSlice } from '../../src/features/watchlist/watchlist.ts';
import { assertDocumented } from './documented.ts';
import { type Answer, type IdentityApp, send, startIdentityApp, TestBrowser } from './identity.ts';
import { addTickers, catalogMarket, type MarketLog } from './watchlist-market.ts';
import type { TestScope } from './test-scope.ts';

interface CapturedEvent {
  idpId: string;
  event: string;
  properties: Readonly<Record<string, unknown>>;
}

/** A signed-in member who calls the API; every answer is held to the OpenAPI document. */
export interface TestMember {
  idpId: string;
  token: string;
  call(method: string, path: string, body?: object | string, headers?: Record<string, string>): Promise<Answer>;
  /** Adds symbols one after another; each must be taken. */
  add(...symbols: string[]): Promise<void>;
  /** The list as the contract says it. */
  list(): Promise<Watchlist>;
  /** The list's symbols in its order. */
  symbols(): Promise<string[]>;
}

export interface WatchlistApp extends IdentityApp, MarketLog {
  slice: WatchlistSlice;
  billing: Billing;
  /** What was captured of a member: changes of the list in their order, then what changed nothing. */
  eventsOf(idpId: string): Promise<CapturedEvent[]>;
  signUp(tier?: 'free' | 'pro' | 'max'): Promise<TestMember>;
  /** What the market says now and what the clock shows; tests change them. */
  market: WatchlistMarket & { down: Set<string>; hanging: Set<string> };
}

/** The moment at which the tests stand: Wednesday 2026-11-18, 15:30 in New York. */
export const NOW = new Date('2026-11-18T20:30:00Z');

/** Symbols of as many companies of the catalog as a test needs. */
export const many = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `AAA${String(i + 1).padStart(2, '0')}`);

type Changes = (deps: WatchlistDependencies) => Partial<WatchlistDependencies>;

/**
 * One watchlist for all tests of the file: `take` has it, and is waited for, before the first of them; it ends behind
 * the last.
 */
export function useWatchlistApp(take: (app: WatchlistApp) => unknown, changes?: Changes): void {
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () =>
    take(await startWatchlistApp({ onTestFinished: (end) => void ends.push(end as () => Promise<void>) }, changes)),
  );
  afterAll(async () => {
    for (const end of ends) await end();
  });
}

/**
 * The watchlist over HTTP with identity, billing, flags and a catalog of their own; `changes` replace single
 * dependencies.
 */
async function startWatchlistApp(t: TestScope, changes: Changes = () => ({})): Promise<WatchlistApp> {
  const log: MarketLog = { backfills: [], registered: [], asked: [], lookedUp: [] };
  const events: CapturedEvent[] = [];
  let slice!: WatchlistSlice;
  let billing!: Billing;
  let market!: WatchlistApp['market'];
  const accounts = { demoAccountId: undefined, sampleUserId: undefined as string | undefined };
  const served = await startIdentityApp(t, { accounts }, async (app, identity) => {
    const { database } = identity.options;
    const logger = createLogger('silent');
    billing = createBilling({ sql: database.service, logger, guards: identity.guards });
    const flags = createFeatureFlags({ sql: database.service, logger, freshFor: 0 });
    await flags.seed();
    await addTickers(database.service);
    market = catalogMarket(database.service, log);
    const deps: WatchlistDependencies = {
      database,
      logger,
      guards: identity.guards,
      isOn: (flag, idpId) => flags.isOn(flag, idpId),
      tierOf: billing.tierOf,
      watchlistLimitOf: billing.watchlistLimitOf,
      market,
      // On a clock that stands, so that no minute passes while a slow machine tests.
      lookUp: limitLookUps(() => 0),
      positionsOf: async () => [],
      capture: (idpId, event, properties) => void events.push({ idpId, event, properties }),
      captureIn: createAnalytics({ sql: database.service, logger }).captureIn,
      now: () => NOW,
    };
    slice = createWatchlist({ ...deps, ...changes(deps) });
    await slice.register(app);
  });
  return {
    ...served,
    slice,
    billing,
    ...log,
    market,
    async eventsOf(idpId) {
      const facts = await served.owner<CapturedEvent & { [column: string]: unknown }>(
        `select idp_id as "idpId", event, properties from public.analytics_events where idp_id = $1
          order by occurred_at`,
        [idpId],
      );
      return [...facts, ...events.filter((event) => event.idpId === idpId)];
    },
    async signUp(tier = 'free') {
      const browser = new TestBrowser(served.url);
      const { userId, sessionId } = await browser.signUp();
      const member = memberOf(served.url, userId, await browser.token(sessionId));
      if ((await member.call('GET', '/api/me')).status !== 200) throw new Error('The new member is not let in.');
      if (tier !== 'free') await billing.setTier(userId, tier);
      return member;
    },
  };
}

function memberOf(url: string, idpId: string, token: string): TestMember {
  const call: TestMember['call'] = async (method, path, body, headers = {}) => {
    const answer = await send(`${url}${path}`, method, body, { authorization: `Bearer ${token}`, ...headers });
    assertDocumented(method, path, answer, headers);
    return answer;
  };
  const list = async () => watchlist.parse((await call('GET', '/api/watchlist')).body);
  return {
    idpId,
    token,
    call,
    list,
    symbols: async () => (await list()).items.map(({ symbol }) => symbol),
    async add(...symbols) {
      for (const symbol of symbols) {
        const { status, body } = await call('POST', '/api/watchlist', { symbol });
        if (status !== 201) throw new Error(`${symbol} was answered with ${status}: ${JSON.stringify(body)}`);
      }
    },
  };
}

/** Turns the rollout off for one member. */
export async function turnOff(app: Pick<WatchlistApp, 'owner'>, idpId: string): Promise<void> {
  await app.owner(`insert into public.feature_flag_members (flag, idp_id, enabled) values ($1, $2, false)`, [
    ROLLOUT_FLAG,
    idpId,
  ]);
}
