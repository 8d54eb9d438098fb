import { Failure } from '../../errors.ts';
import type { HttpApp } from './app-type.ts';
import type { RequestMetrics } from './metrics.ts';
import { isSameSecret } from './same-secret.ts';

/** `/metrics`, for callers with the token; without a token the path does not exist. */
export function addMetricsRoute(app: HttpApp, metrics: RequestMetrics, token: string | undefined): void {
  if (!token) return;
  app.get('/metrics', async (request, reply) => {
    if (!isSameSecret(request.headers.authorization ?? '', `Bearer ${token}`)) throw new Failure('UNAUTHENTICATED');
    const text = await metrics.read(request.log);
    return reply.type(metrics.registry.contentType).serializer(String).send(text);
  });
}
