import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { Failure } from '../errors.ts';
import type { HttpApp } from './app-type.ts';
import type { RequestMetrics } from './metrics.ts';
import { isSameSecret } from './same-secret.ts';

/** `/metrics` on the service's own port, for whoever carries the token; without a token the path does not exist. */
export function addMetricsRoute(app: HttpApp, metrics: RequestMetrics, token: string | undefined): void {
  if (!token) return;
  app.get('/metrics', async (request, reply) => {
    if (!isSameSecret(request.headers.authorization ?? '', `Bearer ${token}`)) throw new Failure('UNAUTHENTICATED');
    const text = await metrics.registry.metrics();
    return reply
      .type(metrics.registry.contentType)
      .serializer(String)
      .send(text as never);
  });
}

/** `/metrics` on a port of its own, which the operator keeps inside the network. */
export async function listenForMetrics(metrics: RequestMetrics, host: string, port: number): Promise<Server> {
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(await metrics.registry.metrics());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}
