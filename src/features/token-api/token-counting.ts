import type { Logger } from 'pino';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import type { RequestMetrics } from '../../platform/http/metrics.ts';
import { createObserveAnswer } from '../../platform/http/observe-answer.ts';
import type { SharedLimits } from '../../platform/http/shared-limits.ts';
import type { Slice } from '../../slice.ts';
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
import { BodyBudget, bodyBudgetBytes, memoryLimit } from './endpoint/body-budget.ts';
import { addV1Routes } from './endpoint/routes.ts';
import { memberRows } from './export-queries.ts';
import { createKeyCache } from './key-cache.ts';
import { createKeyUse } from './note-key-use.ts';
import { deleteOrganisationOf, findKeyHolders, touchKeys } from './queries.ts';
import { createMemoryLimits } from './rate-limits/in-memory.ts';
import { createRedisLimits } from './rate-limits/in-redis.ts';
import type { TierLimits } from './rate-limits/rate-limit.ts';
import { createPdfParser } from './pdf/pdf-parser.ts';
import { createReadMedia } from './read-media.ts';
import { addMemberKeyRoutes } from './member-key-routes.ts';
import { createFetchMedia } from './url-media/fetch-media.ts';
import { PUBLIC_INTERNET, type UrlNetwork } from './url-media/network.ts';
import { UrlBudget } from './url-media/url-budget.ts';
import { CountPool } from './workers/count-pool.ts';

export interface TokenCountingDependencies {
  sql: ServiceSql;
  logger: Logger;
  metrics: RequestMetrics;
  /** `TOKEN_COUNT_RATE_LIMITS`. */
  rateLimits: TierLimits;
  /** Where processes count together; without it the limits are kept in this process. */
  sharedLimits?: Pick<SharedLimits, 'take'> | undefined;
  /** Threads for large bodies (default 2), each started when it is first needed; 0 counts them in this one. */
  workers?: number | undefined;
  /** Bytes of memory that the process may take; by default the limit of its container, or what the machine has. */
  memory?: number | undefined;
  /** `TOKEN_COUNT_FETCH_URLS`: whether images and PDFs that requests name by URL are fetched; by default not. */
  fetchUrls?: boolean | undefined;
  /** Another network than the public internet, for tests only. */
  urlNetwork?: UrlNetwork | undefined;
  /** Whether the service's address is https. */
  https?: boolean | undefined;
  /** Without them there are no routes for members' keys. */
  guards?: Guards | undefined;
}

export interface TokenCounting extends Slice {
  /** Adds everything under `/v1` to a scope with that prefix and without hooks. */
  registerV1: (scope: HttpApp) => void;
  /** Adds the routes for members' keys. */
  register: (app: HttpApp) => void;
  /** Input tokens of a request of the service's own; for a model that is not known, as of the newest one that is. */
  countRequest(body: CountTokensRequest): number;
  /** A key for the first run, which is stored nowhere else. */
  seedApiKey(): Promise<string>;
  close(): Promise<void>;
}

/** Wires the slice: keys, limits, threads, routes. Before the first request nothing runs or connects, Redis aside. */
export function createTokenCounting(deps: TokenCountingDependencies): TokenCounting {
  const { sql, logger, workers = 2 } = deps;
  const pool = workers > 0 ? new CountPool({ size: workers }) : undefined;
  const budget = new BodyBudget(bodyBudgetBytes(deps.memory ?? memoryLimit()));
  const held = { pool: () => pool?.load ?? 0, bodies: () => budget.figures() };
  const metrics = createCountingMetrics(deps.metrics.registry, held);
  const keys = createKeyCache((hashes) => {
    metrics.keyLookups.inc();
    return findKeyHolders(sql, hashes);
  });
  const keyUse = createKeyUse(
    (ids) => touchKeys(sql, ids),
    (error) => logger.warn({ err: error }, 'the last use of keys could not be written'),
  );
  const rateLimits = deps.sharedLimits
    ? createRedisLimits(deps.rateLimits, deps.sharedLimits, () => metrics.rateLimitFallback.inc())
    : createMemoryLimits(deps.rateLimits);
  const pdfs = createPdfParser();
  const readMedia = createReadMedia(pdfs);
  const fetchMedia = createFetchMedia({
    enabled: deps.fetchUrls ?? false,
    network: deps.urlNetwork ?? PUBLIC_INTERNET,
    budget: new UrlBudget(),
    memory: budget,
    ended: (outcome) => metrics.urlFetches.inc({ outcome }),
  });
  const counting = { keys, keyUse, rateLimits, pool, budget, readMedia, fetchMedia, metrics };
  const observers = { logger, observe: createObserveAnswer(logger, deps.metrics), https: deps.https };
  return {
    name: 'token-counting',
    memberRows,
    onUserDeleted: deleteOrganisationOf,
    registerV1: (scope) => addV1Routes(scope, counting, observers),
    register(app) {
      if (deps.guards) addMemberKeyRoutes(app, { sql, guards: deps.guards, forgetKeys: () => keys.clear() });
    },
    countRequest: (body) => countInputTokens(resolveModel(body.model) ? body : { ...body, model: listModels()[0]!.id }),
    seedApiKey: () => seedApiKey(sql),
    startBackground: () => void warmUp(),
    async close() {
      await Promise.all([keyUse.close(), pool?.close(), pdfs.close()]);
    },
  };
}

/** Loads every vocabulary, one a turn of the event loop (about 100 ms each), so that no request has to wait for it. */
async function warmUp(): Promise<void> {
  const families = new Map(listModels().map((model) => [model.text, model.id]));
  for (const model of families.values()) {
    await new Promise((resolve) => setImmediate(resolve));
    countText('Hello', { model });
  }
}
