import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServiceProcess, startService } from '../service-process.ts';
import { type FakeIdentityProvider, startIdentityProvider } from '../../fakes/identity-provider/identity-provider.ts';
import type { TestDatabase } from '../database.ts';
import { type ApiResponse, sendRequest, TestBrowser, WEBHOOK_SECRET } from '../identity.ts';
import { createSeededDatabase, getDatabaseSettings } from '../service.ts';

/** Two service processes of one deployment. PostgreSQL and the identity provider outlive them. */
export interface Replicas {
  db: TestDatabase;
  idp: FakeIdentityProvider;
  demoId: string;
  /** The current addresses of the processes. */
  urls: [string, string];
  /** Kills a process like a power failure. Resolves once it has ended. */
  kill(replica: 0 | 1): Promise<void>;
  /** Restarts the process. Resolves once it is ready. */
  restart(which: 0 | 1): Promise<void>;
  operate(which: 0 | 1, method: string, path: string, body?: object): Promise<ApiResponse>;
  /** Signs in with a ticket at the provider. */
  signIn(ticket: string): Promise<{ sessionId: string; bearer: { authorization: string } }>;
  close(): Promise<void>;
}

export async function startReplicas(): Promise<Replicas> {
  const folder = mkdtempSync(join(tmpdir(), 'tally-replicas-'));
  // The demo account has the data that viewers see.
  const { database: db, firstRun } = await createSeededDatabase();
  const demoId = firstRun.demo_account_idp_user_id;
  const idp = await startIdentityProvider(db.database.service);
  const operatorToken = randomBytes(32).toString('hex');
  const commonSettings = getDatabaseSettings(db);
  idp.accounts.demoAccountId = demoId;

  const startReplica = (which: 0 | 1): ServiceProcess =>
    startService({
      ...commonSettings,
      DATA_DIR: join(folder, String(which)),
      BASE_URL: idp.url,
      IDP_SECRET_KEY: idp.secretKey,
      IDP_API_URL: idp.apiUrl,
      IDP_FRONTEND_API_URL: idp.apiUrl,
      IDP_WEBHOOK_SECRET: WEBHOOK_SECRET,
      DEMO_ACCOUNT_IDP_USER_ID: demoId,
      DEMO_ACCESS_OPERATOR_TOKEN: operatorToken,
      DEMO_ACCESS_RATE_LIMIT: '1000000',
      API_RATE_LIMIT: '1000000',
    });
  const services: [ServiceProcess, ServiceProcess] = [startReplica(0), startReplica(1)];
  const urls: Replicas['urls'] = [await services[0].ready, await services[1].ready];
  return {
    db,
    idp,
    demoId,
    urls,
    kill: async (which) => {
      await services[which].end('SIGKILL');
    },
    async restart(which) {
      services[which] = startReplica(which);
      urls[which] = await services[which].ready;
    },
    operate: (which, method, path, body) =>
      sendRequest(`${urls[which]}/api/internal/demo-access${path}`, method, body, {
        authorization: `Bearer ${operatorToken}`,
      }),
    async signIn(ticket) {
      const browser = new TestBrowser(idp.url, idp.url);
      const { status, body } = await browser.call('POST', '/client/sign_ins', { strategy: 'ticket', ticket });
      if (status !== 200) throw new Error(`the ticket was rejected with ${status}: ${JSON.stringify(body)}`);
      const sessionId = body.response.created_session_id as string;
      return { sessionId, bearer: { authorization: `Bearer ${await browser.token(sessionId)}` } };
    },
    async close() {
      await Promise.all(services.map((service) => service.end('SIGTERM')));
      await idp.close();
      await db.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
