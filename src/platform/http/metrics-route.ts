import type { FastifyBaseLogger } from 'fastify';
import { AppError } from '../../errors.ts';
import type { HttpApp } from './app-type.ts';
import { encodeDocument, type EncodedDocument, sendEncodedDocument } from './encoded-document.ts';
import type { RequestMetrics } from './metrics.ts';
import { isTimingSafeEqual } from './timing-safe-equal.ts';

/** Minimum time in ms between the starts of two collections. */
export const METRICS_INTERVAL_MS = 1_000;

/** As for other responses, since each collection is compressed anew. */
const BROTLI_QUALITY = 4;

interface MetricsRouteOptions {
  /** Returns the time in ms (default: the monotonic clock), for tests. */
  now?: () => number;
}

/**
 * Adds `/metrics` for callers with the token. Without a configured token the path does not exist. Metrics are collected
 * and compressed at most once a second, whoever asks.
 */
export function addMetricsRoute(
  app: HttpApp,
  metrics: RequestMetrics,
  token: string | undefined,
  { now = () => performance.now() }: MetricsRouteOptions = {},
): void {
  if (!token) return;
  let last: { document: Promise<EncodedDocument>; startedAt: number; isRunning: boolean } | undefined;
  const collect = (logger: FastifyBaseLogger): Promise<EncodedDocument> => {
    if (last && (last.isRunning || now() - last.startedAt < METRICS_INTERVAL_MS)) return last.document;
    const document = metrics.read(logger).then((text) => encodeDocument(text, BROTLI_QUALITY));
    const collection = { document, startedAt: now(), isRunning: true };
    last = collection;
    document.then(
      () => {
        collection.isRunning = false;
      },
      () => {
        last = undefined;
      },
    );
    return document;
  };
  app.get('/metrics', async (request, reply) => {
    if (!isTimingSafeEqual(request.headers.authorization ?? '', `Bearer ${token}`))
      throw new AppError('UNAUTHENTICATED');
    const document = await collect(request.log);
    return sendEncodedDocument(reply.type(metrics.registry.contentType), document);
  });
}
