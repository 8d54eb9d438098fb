import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { connectDatabase, type DatabaseUrls } from '../../src/platform/database/connect.ts';
import { createLogger } from '../../src/platform/http/logger.ts';
import { loadOrCreateLocalSecrets } from '../../src/installation/local-secrets.ts';
import { SITE, TestBrowser } from '../../test/support/identity.ts';
import type { RecordedStatement } from './time-statements.ts';

interface TimedResponse {
  status: number;
  body: Buffer;
  /** Time in ms in the server, from the request to the end of its response. */
  serverMs: number;
}

/** Starts the whole service as `tally start` does, without the worker, and a client on one connection. */
export async function serve(urls: DatabaseUrls) {
  const dataDir = mkdtempSync(join(tmpdir(), 'tally-bench-'));
  const database = connectDatabase(urls);
  const logger = createLogger('silent');
  const config = loadConfig({ API_RATE_LIMIT: '1000000', DATA_DIR: dataDir, WORKER: 'off', LOG_LEVEL: 'silent' });
  const app = await createApp({ config, secrets: loadOrCreateLocalSecrets(dataDir), database, logger, baseUrl: SITE });
  let serverMs = 0;
  let onResponseEnd = (): void => {};
  app.http.addHook('onResponse', async (_request, reply) => {
    serverMs = reply.elapsedTime;
    onResponseEnd();
  });
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  const call = async (
    token: string,
    method: string,
    path: string,
    body?: object,
    encoding = 'identity',
  ): Promise<TimedResponse> => {
    const { promise: responseEnd, resolve: handleResponseEnd } = Promise.withResolvers<void>();
    onResponseEnd = handleResponseEnd;
    const headers = {
      authorization: `Bearer ${token}`,
      'accept-encoding': encoding,
      ...(body && { 'content-type': 'application/json' }),
    };
    const result = await new Promise<{ status: number; body: Buffer }>((resolve, reject) => {
      const clientRequest = send(`${url}${path}`, { method, agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode!, body: Buffer.concat(chunks) }));
      });
      clientRequest.on('error', reject).end(body && JSON.stringify(body));
    });
    await responseEnd;
    return { ...result, serverMs };
  };

  return {
    /** Sends one request at a time. The server time is that of the last response. */
    call,
    /** Signs up a member on the Max plan. `token` returns a new token. */
    async signUp(): Promise<{ idpId: string; token(): Promise<string> }> {
      const browser = new TestBrowser(url);
      const { userId, sessionId } = await browser.signUp();
      await call(await browser.token(sessionId), 'GET', '/api/me');
      await database.service.query(
        `insert into public.subscriptions (idp_id, tier, status) values ($1, 'max', 'active')`,
        [userId],
      );
      return { idpId: userId, token: () => browser.token(sessionId) };
    },
    async close(): Promise<void> {
      agent.destroy();
      await app.close();
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns the statements with values that this process sends while `run` runs. */
export async function captureStatements(run: () => Promise<unknown>): Promise<RecordedStatement[]> {
  const statements: RecordedStatement[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function record(this: pg.Client, ...values: unknown[]) {
    const [first] = values as [RecordedStatement];
    statements.push({ text: first.text, values: first.values ?? [] });
    return (query as (...args: unknown[]) => unknown).apply(this, values);
  } as typeof query;
  try {
    await run();
  } finally {
    pg.Client.prototype.query = query;
  }
  return statements;
}
