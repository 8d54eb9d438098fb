import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createDemoAccess } from '../../src/features/demo-access/demo-access.ts';
import { createSessionGate } from '../../src/features/demo-access/session-gate.ts';
import type { HttpApp } from '../../src/platform/http/app-type.ts';
import { createLogger } from '../../src/platform/http/logger.ts';
import { createMetrics } from '../../src/platform/http/metrics.ts';
import type { Task } from '../../src/platform/jobs/task.ts';
import type { ProviderClient } from '../../src/platform/identity/provider-client.ts';
import { createProviderEvents } from '../../src/platform/identity/webhook-routes.ts';
import type { Feature } from '../../src/feature.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { getTicket } from './demo-links.ts';
import { createTestHttpApp } from './http-app.ts';
import {
  type ApiResponse,
  callBackend,
  createTestIdentity,
  LOW_COST,
  createEmail,
  SECRET_KEY,
  sendRequest,
  SITE,
  TestBrowser,
  WEBHOOK_SECRET,
} from './identity.ts';
import type { TestScope } from './test-scope.ts';

export const OPERATOR_TOKEN = randomBytes(32).toString('hex');

/** A provider result without a response. */
export const UNCONFIRMED = {
  ...({ ok: false, reason: 'unconfirmed' } as const),
  detail: 'TimeoutError',
  status: null,
  code: null,
  retryAfter: null,
  traceId: null,
};

/** The result of opening a link: the session of its ticket, and a token of this session. */
export interface Viewer {
  browser: TestBrowser;
  sessionId: string;
  token: string;
}

export interface DemoApp extends TestDatabase {
  app: HttpApp;
  url: string;
  demoId: string;
  feature: Feature;
  /** The provider's real client. Tests replace single calls. */
  provider: ProviderClient;
  /** Logged JSON lines. */
  log: string[];
  /** Sends a call of the operator. */
  operate(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<ApiResponse>;
  /** Creates an invitation and parses its link. */
  invite(label?: string): Promise<{ id: string; ticket: string }>;
  /** Signs in with a ticket like the page. */
  signInWithTicket(ticket: string): Promise<Viewer>;
  /** Requests the binding of the session. */
  complete(viewer: Pick<Viewer, 'token'>, body: object): Promise<ApiResponse>;
  /** Returns the lines of the feature's metrics. */
  readMetrics(): Promise<string[]>;
  /** Runs a job of the feature once. */
  runJob(name: string, payload: object): Promise<void>;
  /** Returns the payloads of the waiting jobs with this name. */
  listJobs(name: string): Promise<object[]>;
  /** Runs the reconciler once with everything pending due. */
  reconcile(): Promise<void>;
  /** Returns the status of a session at the provider. */
  getSessionStatus(sessionId: string): Promise<string>;
}

interface DemoOptions {
  strict?: boolean;
  operatorToken?: string | undefined;
  requestsPerMinute?: number;
  /** Numbers of the demo account's accounts and holdings (default: one of each). */
  counts?: { accounts: number; holdings: number };
  /** The gate's monotonic clock in ms. */
  clock?: () => number;
  demoAccount?: boolean;
}

/** Starts identity and the sign-in links over HTTP with their own database and embedded provider. */
export async function startDemoApp(t: TestScope, options: DemoOptions = {}): Promise<DemoApp> {
  const db = await createTestDatabase();
  const sql = db.database.service;
  const log: string[] = [];
  const logger = createLogger('trace', {
    write: (text: string) => {
      log.push(text);
    },
  });
  const app = await createTestHttpApp({ logger });
  const accounts: { demoAccountId: string | undefined; sampleUserId: string | undefined } = {
    demoAccountId: undefined,
    sampleUserId: undefined,
  };
  const gate = createSessionGate({
    sql,
    strict: options.strict ?? true,
    ...(options.clock && { clock: options.clock }),
  });
  const { identity } = createTestIdentity(db.database, {
    baseUrl: SITE,
    accounts,
    logger,
    sessionGate: gate.isSessionAllowed,
    embedded: {
      limits: { signInPerPerson: 10_000, signInPerAddress: 10_000, signUpPerAddress: 10_000 },
      passwordCost: LOW_COST,
    },
  });
  const metrics = createMetrics();
  const provider = { ...identity.client };
  const feature = createDemoAccess({
    sql,
    logger,
    metrics,
    guards: identity.guards,
    baseUrl: SITE,
    gate,
    provider,
    accounts,
    isMember: async () => true,
    countAccountsAndHoldings: async () => options.counts ?? { accounts: 1, holdings: 1 },
    operatorToken: 'operatorToken' in options ? options.operatorToken : OPERATOR_TOKEN,
    requestsPerMinute: options.requestsPerMinute ?? 1_000_000,
  });
  await identity.register(app);
  const hooks = { onSessionEvent: feature.onSessionEvent };
  await createProviderEvents({ sql, secret: WEBHOOK_SECRET, hooks, owners: [feature] }).register!(app);
  await feature.register(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.onTestFinished(async () => {
    await app.close();
    await db.drop();
  });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const newUser = { email_address: [createEmail()], skip_password_requirement: true };
  const demoId = (await callBackend(url, 'POST', '/users', newUser, SECRET_KEY)).body.id as string;
  if (options.demoAccount !== false) accounts.demoAccountId = demoId;

  const runJob: DemoApp['runJob'] = (name, payload) =>
    (feature.tasks[name] as Task<object>)(payload, {
      jobId: '1',
      attempt: 1,
      maxAttempts: 1,
      signal: new AbortController().signal,
    });
  const operate: DemoApp['operate'] = (method, path, body, headers = {}) =>
    sendRequest(`${url}/api/internal/demo-access${path}`, method, body, {
      authorization: `Bearer ${OPERATOR_TOKEN}`,
      ...headers,
    });
  return {
    ...db,
    app,
    url,
    demoId,
    feature,
    provider,
    log,
    operate,
    runJob,
    async invite(label = 'Ada') {
      const { status, body } = await operate('POST', '', { label });
      if (status !== 201) throw new Error(`create answered ${status}: ${JSON.stringify(body)}`);
      return { id: body.id as string, ticket: getTicket(body.link as string) };
    },
    async signInWithTicket(ticket) {
      const browser = new TestBrowser(url, SITE);
      const { status, body } = await browser.call('POST', '/client/sign_ins', { strategy: 'ticket', ticket });
      if (status !== 200) throw new Error(`the ticket was rejected with ${status}: ${JSON.stringify(body)}`);
      const sessionId = body.response.created_session_id as string;
      return { browser, sessionId, token: await browser.token(sessionId) };
    },
    complete: ({ token }, body) =>
      sendRequest(`${url}/api/demo-access/complete`, 'POST', body, { authorization: `Bearer ${token}` }),
    async reconcile() {
      await db.owner(
        'update public.demo_access_invitations set next_attempt_at = now() where next_attempt_at is not null',
      );
      await runJob('demo-access-reconcile', {});
    },
    readMetrics: async () => (await metrics.registry.metrics()).split('\n'),
    async listJobs(name) {
      const waiting = await db.owner<{ payload: object }>(
        `select j.payload from graphile_worker._private_jobs j
           join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = $1`,
        [name],
      );
      return waiting.map(({ payload }) => payload);
    },
    async getSessionStatus(sessionId) {
      const { body } = await callBackend(url, 'GET', `/sessions/${sessionId}`, undefined, SECRET_KEY);
      return body.status as string;
    },
  };
}
