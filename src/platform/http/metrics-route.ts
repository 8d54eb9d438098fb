import type { FastifyBaseLogger } from 'fastify';
import { AppError } from '../../errors.ts';
import type { HttpApp } from './app-type.ts';
import { encodeDocument, type EncodedDocument, sendEncodedDocument } from './encoded-document.ts';
import type { RequestMetrics } from './metrics.ts';
import { isTimingSafeEqual } from './timing-safe-equal.ts';
import { withTimeout } from './with-timeout.ts';

/** Minimum time in ms between the starts of two collections. */
export const METRICS_INTERVAL_MS = 1_000;

/** Maximum time in ms of a collection. Prometheus waits for ten seconds. */
const COLLECTION_TIMEOUT_MS = 10_000;

/** The compression level of other responses, because each collection is compressed again. */
const BROTLI_QUALITY = 4;

interface MetricsRouteOptions {
  /** Returns the time in ms (default: the monotonic clock), for tests. */
  now?: () => number;
  /** Maximum time in ms of a collection (default: 10 seconds), for tests. */
  timeoutMs?: number;
}

/**
 * Adds `/metrics` for callers with the token. Without a configured token the path does not exist. Metrics are collected
 * and compressed at most once a second, whoever asks. A collection that fails or times out fails for all callers of its
 * second.
 */
export function addMetricsRoute(
  app: HttpApp,
  metrics: RequestMetrics,
  token: string | undefined,
  { now = () => performance.now(), timeoutMs = COLLECTION_TIMEOUT_MS }: MetricsRouteOptions = {},
): void {
  if (!token) return;
  let last: { document: Promise<EncodedDocument>; startedAt: number; isRunning: boolean } | undefined;
  const collect = (logger: FastifyBaseLogger): Promise<EncodedDocument> => {
    if (last && (last.isRunning || now() - last.startedAt < METRICS_INTERVAL_MS)) return last.document;
    const text = withTimeout(timeoutMs, metrics.read(logger), () => {
      throw new Error('the metrics were not collected in time');
    });
    const document = text.then((metricsText) => encodeDocument(metricsText, BROTLI_QUALITY));
    const collection = { document, startedAt: now(), isRunning: true };
    last = collection;
    const end = (): void => {
      collection.isRunning = false;
    };
    document.then(end, end);
    return document;
  };
  app.get('/metrics', async (request, reply) => {
    if (!isTimingSafeEqual(request.headers.authorization ?? '', `Bearer ${token}`))
      throw new AppError('UNAUTHENTICATED');
    const document = await collect(request.log);
    return sendEncodedDocument(reply.type(metrics.registry.contentType), document);
  });
}
