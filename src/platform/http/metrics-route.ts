import { AppError } from '../../errors.ts';
import type { HttpApp } from './app-type.ts';
import type { RequestMetrics } from './metrics.ts';
import { isTimingSafeEqual } from './timing-safe-equal.ts';

/** Adds `/metrics` for callers with the token. Without a configured token the path does not exist. */
export function addMetricsRoute(app: HttpApp, metrics: RequestMetrics, token: string | undefined): void {
  if (!token) return;
  app.get('/metrics', async (request, reply) => {
    if (!isTimingSafeEqual(request.headers.authorization ?? '', `Bearer ${token}`))
      throw new AppError('UNAUTHENTICATED');
    const text = await metrics.read(request.log);
    return reply.type(metrics.registry.contentType).serializer(String).send(text);
  });
}
