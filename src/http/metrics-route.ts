import { createServer, type Server } from 'node:http';
import type { Logger } from 'pino';
import { Failure } from '../errors.ts';
import type { HttpApp } from './app-type.ts';
import { limitUnreadBody } from './limit-unread-body.ts';
import type { RequestMetrics } from './metrics.ts';
import { isSameSecret } from './same-secret.ts';

/** `/metrics` on the service's own port, for callers with the token; without a token the path does not exist. */
export function addMetricsRoute(app: HttpApp, metrics: RequestMetrics, token: string | undefined): void {
  if (!token) return;
  app.get('/metrics', async (request, reply) => {
    if (!isSameSecret(request.headers.authorization ?? '', `Bearer ${token}`)) throw new Failure('UNAUTHENTICATED');
    const text = await metrics.read(request.log);
    return reply.type(metrics.registry.contentType).serializer(String).send(text);
  });
}

/** `/metrics` on a port of its own, which the operator keeps inside the network. */
export async function listenForMetrics(
  metrics: RequestMetrics,
  logger: Pick<Logger, 'error'>,
  { host, port }: { host: string; port: number },
): Promise<Server> {
  const server = createServer((request, response) => {
    limitUnreadBody(request);
    if (request.url !== '/metrics' || request.method !== 'GET') return void response.writeHead(404).end();
    void metrics
      .read(logger)
      .then((text) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}
