import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { connectDatabase, type DatabaseUrls } from '../../src/platform/database/connect.ts';
import { createFeatureFlags } from '../../src/platform/feature-flags/feature-flags.ts';
import { createLogger } from '../../src/platform/http/logger.ts';
import { openLocalSecrets } from '../../src/local-secrets.ts';
import { SITE, TestBrowser } from '../../test/support/identity.ts';
import type { Sent } from './time-statements.ts';

interface Answered {
  status: number;
  body: Buffer;
  /** Milliseconds in the server, from the request's arrival to the end of its answer. */
  serverMs: number;
}

/** The whole service, as `tally start` runs it but for the worker, with a client on one connection. */
export async function serve(urls: DatabaseUrls) {
  const dataDir = mkdtempSync(join(tmpdir(), 'tally-bench-'));
  const database = connectDatabase(urls);
  const logger = createLogger('silent');
  await createFeatureFlags({ sql: database.service, logger }).seed();
  const config = loadConfig({ API_RATE_LIMIT: '1000000', DATA_DIR: dataDir, WORKER: 'off', LOG_LEVEL: 'silent' });
  const app = await createApp({ config, secrets: openLocalSecrets(dataDir), database, logger, baseUrl: SITE });
  let serverMs = 0;
  let answered = (): void => {};
  app.http.addHook('onResponse', async (_request, reply) => {
    serverMs = reply.elapsedTime;
    answered();
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
  ): Promise<Answered> => {
    const done = new Promise<void>((resolve) => (answered = resolve));
    const headers = {
      authorization: `Bearer ${token}`,
      'accept-encoding': encoding,
      ...(body && { 'content-type': 'application/json' }),
    };
    const answer = await new Promise<{ status: number; body: Buffer }>((resolve, reject) => {
      const sent = send(`${url}${path}`, { method, agent, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => resolve({ status: response.statusCode!, body: Buffer.concat(parts) }));
      });
      sent.on('error', reject).end(body && JSON.stringify(body));
    });
    await done;
    return { ...answer, serverMs };
  };

  return {
    /** One request at a time: the server's time is that of the last answer. */
    call,
    /** A member on the Max plan, with a way to a fresh token. */
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

/** The statements that this process sends while `work` runs, with their values. */
export async function recordSent(work: () => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function note(this: pg.Client, ...values: unknown[]) {
    const [first] = values as [Sent];
    sent.push({ text: first.text, values: first.values ?? [] });
    return (query as (...args: unknown[]) => unknown).apply(this, values);
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return sent;
}
