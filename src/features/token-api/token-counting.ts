import type { Logger } from 'pino';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import type { RequestMetrics } from '../../platform/http/metrics.ts';
import { createResponseObserver } from '../../platform/http/observe-response.ts';
import { createSharedRateLimits } from '../../platform/http/redis-rate-limiter.ts';
import type { SharedRedis } from '../../platform/http/shared-redis.ts';
import type { Feature } from '../../feature.ts';
import type { Guards } from '../../platform/identity/guards.ts';
import {
  countInputTokens,
  countText,
  type CountTokensRequest,
  listModels,
  resolveModel,
} from '../../../packages/token-counter/src/index.ts';
import { createCountingMetrics } from './counting-metrics.ts';
import { seedApiKey } from './create-api-key.ts';
import { BodyMemoryBudget, computeBodyBudgetBytes, getMemoryLimit } from './endpoint/body-memory-budget.ts';
import { createCountTurns } from './endpoint/count-turns.ts';
import { addV1Routes } from './endpoint/routes.ts';
import { memberRows } from './export-queries.ts';
import { createKeyCache, MAX_STALE_MS } from './key-cache.ts';
import { createKeyUsageRecorder } from './record-key-usage.ts';
import { type ApiKeyRow, deleteMemberOrganisation, findKeyHolders, listApiKeys, updateLastUsed } from './queries.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { createMemoryLimits } from './rate-limits/in-memory.ts';
import { createRedisLimits } from './rate-limits/in-redis.ts';
import type { TierLimits } from './rate-limits/rate-limit.ts';
import { createSharedKeys } from './shared-keys.ts';
import { createPdfReader } from './pdf/pdf-reader.ts';
import { addMemberKeyRoutes } from './member-key-routes.ts';
import { createFetchMedia } from './url-media/fetch-media.ts';
import { PUBLIC_INTERNET, type UrlNetwork } from './url-media/network.ts';
import { UrlFetchLimiter } from './url-media/url-fetch-limiter.ts';
import { CountPool } from './workers/count-pool.ts';

export interface TokenCountingDependencies {
  sql: ServiceSql;
  logger: Logger;
  metrics: RequestMetrics;
  /** The setting `TOKEN_COUNT_RATE_LIMITS`. */
  rateLimits: TierLimits;
  /** Redis that shares limits and found keys between processes. If undefined, each process has its own. */
  redis?: SharedRedis | undefined;
  /**
   * Number of threads for large and costly bodies (default 2). Each thread starts on demand. With 0 all bodies are counted in this
   * thread.
   */
  workers?: number | undefined;
  /** Memory limit of the process in bytes. The default is the limit of the container or the memory of the machine. */
  memory?: number | undefined;
  /** The setting `TOKEN_COUNT_FETCH_URLS`: whether images and PDFs are fetched by URL (default false). */
  fetchUrls?: boolean | undefined;
  /** The setting `TOKEN_COUNT_BROWSER_ACCESS`: whether pages of other origins may call the API (default true). */
  browserAccess?: boolean | undefined;
  /** Replaces the public internet in tests. */
  urlNetwork?: UrlNetwork | undefined;
  /** Whether the base URL is https. */
  https?: boolean | undefined;
  /** Guards of the routes for members' keys. If undefined, these routes do not exist. */
  guards?: Guards | undefined;
}

export interface TokenCounting extends Feature {
  /** Adds the `/v1` routes to a scope with that prefix and without hooks. */
  registerV1: (scope: HttpApp) => void;
  /** Adds the routes of members' keys. */
  register: (app: HttpApp) => void;
  /** Returns the input tokens of an internal request. An unknown model is counted like the newest known one. */
  countRequest(body: CountTokensRequest): number;
  /** Creates a key for the first run, which is not stored. */
  seedApiKey(): Promise<string>;
  /** Returns the active keys of every organisation, newest first. */
  listActiveKeys(): Promise<ActiveKey[]>;
  /** Revokes a key. Returns false if it does not exist. */
  revokeKey(id: string): Promise<boolean>;
  close(): Promise<void>;
}

type ActiveKey = Pick<ApiKeyRow, 'id' | 'name' | 'hint' | 'organisation' | 'usage_tier'> & {
  created_at: string;
  last_used_at: string | null;
};

async function listActiveKeys(sql: ServiceSql): Promise<ActiveKey[]> {
  const keys = await listApiKeys(sql);
  return keys
    .filter((key) => key.revoked_at === null)
    .map(({ id, name, hint, organisation, usage_tier, created_at, last_used_at }) => ({
      id,
      name,
      hint,
      organisation,
      usage_tier,
      created_at: created_at.toISOString(),
      last_used_at: last_used_at?.toISOString() ?? null,
    }));
}

/**
 * Creates the feature: keys, limits, threads, routes. Nothing runs or connects before the first request, except for
 * Redis.
 */
export function createTokenCounting(deps: TokenCountingDependencies): TokenCounting {
  const { sql, logger, workers = 2 } = deps;
  const pool = workers > 0 ? new CountPool({ size: workers }) : undefined;
  const budget = new BodyMemoryBudget(computeBodyBudgetBytes(deps.memory ?? getMemoryLimit()));
  const metricSources = { pool: () => pool?.jobCount ?? 0, bodies: () => budget.getUsage() };
  const metrics = createCountingMetrics(deps.metrics.registry, metricSources);
  const loadHolders = (hashes: string[]) => {
    metrics.keyLookups.inc();
    return findKeyHolders(sql, hashes);
  };
  const keys = createKeyCache(loadHolders, { shared: deps.redis && createSharedKeys(deps.redis, MAX_STALE_MS) });
  const keyUsage = createKeyUsageRecorder(
    (ids) => updateLastUsed(sql, ids),
    (error) => logger.warn({ err: error }, 'failed to update last_used_at of API keys'),
  );
  const sharedLimits = createSharedRateLimits(deps.redis);
  const rateLimits = deps.redis
    ? createRedisLimits(deps.rateLimits, sharedLimits, () => metrics.rateLimitFallback.inc())
    : createMemoryLimits(deps.rateLimits);
  const pdfReader = createPdfReader({ createLimiter: sharedLimits.createLimiter });
  const fetchMedia = createFetchMedia({
    enabled: deps.fetchUrls ?? false,
    network: deps.urlNetwork ?? PUBLIC_INTERNET,
    budget: new UrlFetchLimiter(),
    memory: budget,
    onFetchEnd: (outcome) => metrics.urlFetches.inc({ outcome }),
  });
  const turns = createCountTurns();
  const countDependencies = { keys, keyUsage, rateLimits, pool, turns, budget, pdfReader, fetchMedia, metrics };
  const observers = { logger, observe: createResponseObserver(logger, deps.metrics), https: deps.https };
  return {
    name: 'token-counting',
    memberRows,
    onUserDeleted: deleteMemberOrganisation,
    registerV1: (scope) =>
      addV1Routes(scope, countDependencies, { observers, browserAccess: deps.browserAccess ?? true }),
    register(app) {
      if (deps.guards) addMemberKeyRoutes(app, { sql, guards: deps.guards, clearKeyCache: () => keys.clear() });
    },
    countRequest: (body) => countInputTokens(resolveModel(body.model) ? body : { ...body, model: listModels()[0]!.id }),
    seedApiKey: () => seedApiKey(sql),
    listActiveKeys: () => listActiveKeys(sql),
    revokeKey: async (id) => (await revokeApiKey(sql, id)) !== undefined,
    startBackground: () => {
      const timer = setTimeout(() => {
        void warmUp();
      }, WARM_UP_DELAY_MS);
      return async () => clearTimeout(timer);
    },
    async close() {
      await Promise.all([keyUsage.close(), pool?.close(), pdfReader.close()]);
    },
  };
}

/** Time in ms after the start, so that the vocabularies delay no other part of it. */
const WARM_UP_DELAY_MS = 1_000;

/**
 * Loads all vocabularies and the check of tool schemas, one per event-loop turn (about 100 ms each), so that no request
 * waits for them.
 */
async function warmUp(): Promise<void> {
  const families = new Map(listModels().map((model) => [model.text, model.id]));
  for (const model of families.values()) {
    await new Promise((resolve) => setImmediate(resolve));
    countText('Hello', { model });
  }
}
