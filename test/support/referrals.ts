import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import type { Database } from '../../src/platform/database/connect.ts';
import { createLogger } from '../../src/platform/http/logger.ts';
import { signDelivery } from '../../src/platform/http/webhook-schemes/standard-webhooks.ts';
import { createGuards } from '../../src/platform/identity/guards.ts';
import type { ReservedAccounts } from '../../src/platform/identity/member.ts';
import type { ProviderClient } from '../../src/platform/identity/provider-client.ts';
import { createJobs } from '../../src/platform/jobs/jobs.ts';
import type { ReferralRateLimits } from '../../src/features/referrals/limits.ts';
import { createReferrals } from '../../src/features/referrals/referrals.ts';
import { eventually } from './eventually.ts';
import {
  type ApiResponse,
  type IdentityApp,
  sendRequest,
  SITE,
  startIdentityApp,
  TestBrowser,
  type TestIdentityOptions,
  WEBHOOK_SECRET,
} from './identity.ts';
import type { TestScope } from './test-scope.ts';

const HOUR = 3_600_000;

/** A fake of a hosted provider's directory with the calls that referrals use. `isUnavailable` makes every call fail. */
interface FakeDirectory extends Pick<ProviderClient, 'getUser'> {
  readonly createdAt: Map<string, number>;
  /** `unsafe_metadata.ref` of the people who have one. */
  readonly refs: Map<string, unknown>;
  isUnavailable: boolean;
  requestCount: number;
  /** Delay of each response in ms. */
  delayMs: number;
}

export function createFakeDirectory(): FakeDirectory {
  const people: FakeDirectory = {
    createdAt: new Map(),
    refs: new Map(),
    isUnavailable: false,
    requestCount: 0,
    delayMs: 0,
    async getUser(id) {
      people.requestCount += 1;
      if (people.delayMs > 0) await sleep(people.delayMs);
      const traceId = null;
      if (people.isUnavailable)
        return {
          ok: false,
          reason: 'unconfirmed',
          detail: 'no answer',
          status: null,
          code: null,
          retryAfter: null,
          traceId,
        };
      const at = people.createdAt.get(id);
      if (at === undefined) return { ok: false, reason: 'not_found', traceId };
      const times = { created_at: at, updated_at: at };
      const unsafe_metadata = people.refs.has(id) ? { ref: people.refs.get(id) } : {};
      const value = { object: 'user' as const, id, ...times, banned: false, email_addresses: [], unsafe_metadata };
      return { ok: true, value, traceId };
    },
  };
  return people;
}

export interface ReferralApp extends IdentityApp {
  people: FakeDirectory;
  referrals: ReturnType<typeof createReferrals>;
  /** Logged lines. */
  logLines: string[];
  /**
   * Adds a person to the provider who is `hours` old and signed up with `ref`. Also adds a member here, unless
   * `isKnown` is false.
   */
  addPerson(options?: { hours?: number; isKnown?: boolean; ref?: unknown }): Promise<string>;
  /** Adds a signed-in member with a link. */
  addReferrer(): Promise<{ id: string; link: string; authorization: string }>;
  /** Delivers the provider's signed event of a new person. */
  deliverUserCreated(id: string, ref?: unknown, options?: { hours?: number; deliveryId?: string }): Promise<number>;
  connect(id: string, kind?: 'bank' | 'brokerage'): Promise<boolean>;
  call(path: string, body?: object | string, headers?: Record<string, string>): Promise<ApiResponse>;
  /** Waits until every accepted call has been processed. */
  waitUntilSettled(): Promise<void>;
  /** Returns the referral of a member from the database: the referrer, the source and the status. */
  findReferral(id: string): Promise<{ referrer_idp_id: string | null; source: string; status: string } | undefined>;
  /** Returns the values of a metric by its labels. */
  readMetric(name: string): Promise<Record<string, number>>;
}

/** Records a member's first connection in another process's database, like the feature that connects accounts. */
export function recordFirstConnection(
  database: Database,
  idpId: string,
  kind: 'bank' | 'brokerage' = 'bank',
): Promise<boolean> {
  const { onFirstConnection } = createReferrals({
    sql: database.service,
    logger: createLogger('silent'),
    metrics: { registry: new Registry() },
    jobs: createJobs(database),
    guards: createGuards(() => Promise.reject(new Error('No member is signed in here.'))),
    accounts: { demoAccountId: undefined, sampleUserId: undefined },
    provider: createFakeDirectory(),
    baseUrl: SITE,
    rateLimits: undefined,
  });
  return database.service.transaction((sql) => onFirstConnection(sql, { idpId, kind, connectionId: randomUUID() }));
}

interface ReferralAppOptions {
  rateLimits?: ReferralRateLimits;
  accounts?: ReservedAccounts;
  /** Stops the queue's work, so that its calls remain. */
  isQueueIdle?: boolean;
  /** Settings of identity, whose own client then replaces `people`. */
  identity?: TestIdentityOptions;
}

/** Starts referrals over HTTP with their worker, beside identity and a fake directory of a hosted provider. */
export async function startReferralApp(
  t: TestScope,
  { rateLimits, accounts, isQueueIdle: idle = false, identity: settings }: ReferralAppOptions = {},
): Promise<ReferralApp> {
  const people = createFakeDirectory();
  const lines: string[] = [];
  const registry = new Registry();
  let referrals!: ReferralApp['referrals'];
  const app = await startIdentityApp(
    t,
    {
      ...settings,
      ...(accounts && { accounts }),
      hooks: { onUserCreated: (sql, event) => referrals.onUserCreated(sql, event) },
      owners: [{ onUserDeleted: (sql, idpId) => referrals.onUserDeleted!(sql, idpId) }],
    },
    async (http, identity) => {
      const { database } = identity.options;
      const jobs = createJobs(database);
      referrals = createReferrals({
        sql: database.service,
        logger: createLogger('info', {
          write: (line: string) => {
            lines.push(line);
          },
        }),
        metrics: { registry },
        jobs,
        guards: identity.guards,
        accounts: identity.accounts,
        provider: settings ? identity.client : people,
        baseUrl: SITE,
        rateLimits,
      });
      referrals.register(http);
      if (idle) return;
      const worker = await jobs.startWorker(referrals.tasks!, { pollIntervalMs: 200 });
      t.onTestFinished(() => worker.stop());
    },
  );
  const { owner, database, url } = app;
  return {
    ...app,
    people,
    referrals,
    logLines: lines,
    async addPerson({ hours = 0, isKnown = true, ref } = {}) {
      const id = `user_${randomUUID().replaceAll('-', '')}`;
      const at = new Date(Date.now() - hours * HOUR);
      people.createdAt.set(id, at.getTime());
      if (ref !== undefined) people.refs.set(id, ref);
      if (isKnown) await owner(`insert into public.all_users (idp_id, created_at) values ($1, $2)`, [id, at]);
      return id;
    },
    async addReferrer() {
      const browser = new TestBrowser(url);
      const { userId, sessionId } = await browser.signUp();
      const authorization = `Bearer ${await browser.token(sessionId)}`;
      const { body } = await sendRequest(`${url}/api/referrals/get-link`, 'GET', undefined, { authorization });
      return { id: userId, link: body.referral_link, authorization };
    },
    async deliverUserCreated(id, ref, { hours = 0, deliveryId = randomUUID() } = {}) {
      const at = people.createdAt.get(id) ?? Date.now() - hours * HOUR;
      const body = JSON.stringify({
        object: 'event',
        type: 'user.created',
        data: { id, created_at: at, updated_at: at, ...(ref !== undefined && { unsafe_metadata: { ref } }) },
      });
      const signed = signDelivery(WEBHOOK_SECRET, deliveryId, body, Date.now() / 1000);
      const headers = { 'content-type': 'application/json', ...signed };
      return (await sendRequest(`${url}/api/webhooks/identity`, 'POST', body, headers)).status;
    },
    connect: (idpId, kind = 'bank') =>
      database.service.transaction((sql) =>
        referrals.onFirstConnection(sql, { idpId, kind, connectionId: randomUUID() }),
      ),
    call: (path, body, headers) =>
      sendRequest(`${url}/api/referrals/${path}`, body === undefined ? 'GET' : 'POST', body, headers),
    waitUntilSettled: () =>
      eventually(
        async () =>
          (await owner(`select from graphile_worker.jobs where task_identifier like 'referrals-%'`)).length === 0,
      ),
    async findReferral(id) {
      const [row] = await owner<{ referrer_idp_id: string | null; source: string; status: string }>(
        `select referrer_idp_id, source, status from public.referrals where referred_idp_id = $1`,
        [id],
      );
      return row;
    },
    async readMetric(name) {
      const { values: counts } = await registry.getSingleMetric(name)!.get();
      return Object.fromEntries(counts.map(({ labels, value }) => [Object.values(labels).join(' '), value]));
    },
  };
}
