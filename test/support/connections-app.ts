import { PassThrough } from 'node:stream';
import pino from 'pino';
import { Registry } from 'prom-client';
import { type Connections, createConnections } from '../../src/features/connections/connections.ts';
import { createEmbeddedBank } from '../../src/embedded/bank/embedded-bank.ts';
import { toClientUserId } from '../../src/features/connections/bank/bank-aggregator.ts';
import { createEmbeddedBrokerage } from '../../src/embedded/brokerage/embedded-brokerage.ts';
import type { OnConnected } from '../../src/features/connections/context.ts';
import { deleteMember } from '../../src/platform/identity/delete-member.ts';
import { createJobs } from '../../src/platform/jobs/jobs.ts';
import type { Worker } from '../../src/platform/jobs/worker.ts';
import type { Feature } from '../../src/feature.ts';
import { eventually } from './eventually.ts';
import { type ApiResponse, sendRequest } from './identity.ts';
import { type InvestmentsApp, startInvestmentsApp } from './investments-app.ts';

export const CONNECTIONS_KEY = 'c0'.repeat(32);

export interface ConnectionsApp extends InvestmentsApp {
  connections: Connections;
  /** Deletes a member, runs `during` before the transaction ends, and returns its result. */
  deleteMember<T>(idpId: string, during: () => Promise<T>): Promise<T>;
  registry: Registry;
  /** Returns everything that the feature has logged. */
  readLog(): string;
  /** Connections that were reported as a member's newest, in order. */
  connectedEvents: { idpId: string; kind: string }[];
  /** Advances the embedded aggregators' clock. */
  advanceClock(seconds: number): void;
  /**
   * Sends the webhooks of the embedded aggregators to the service at this address. Returns a function that stops the
   * delivery.
   */
  startDelivery(url: string): () => Promise<void>;
  /** Runs the waiting jobs and the jobs that they add, and delivers the due webhooks. */
  startWork(): Promise<void>;
}

interface Options {
  key?: string;
  previousKey?: string;
  isPreviousLost?: boolean;
  sandbox?: boolean;
  bank?: { clientId: string; secret: string; baseUrl: string };
  brokerage?: { clientId: string; secret: string; baseUrl: string };
  onConnected?: OnConnected;
  finishTimeoutMs?: number;
  /** See `startInvestmentsApp`. */
  existingDatabase?: string;
}

/** Starts connections on top of investments over HTTP, with the embedded bank on a clock of the test. */
export async function startConnectionsApp(options: Options = {}): Promise<ConnectionsApp> {
  const lines: string[] = [];
  const logger = pino(
    { level: 'debug' },
    new PassThrough().on('data', (line: Buffer) => lines.push(line.toString())),
  );
  const registry = new Registry();
  const connectedEvents: ConnectionsApp['connectedEvents'] = [];
  let offset = 0;
  let sleepers: { until: number; wake: () => void }[] = [];
  const now = (): Date => new Date(Date.now() + offset);
  const wait = (milliseconds: number) =>
    new Promise<void>((wake) => sleepers.push({ until: now().getTime() + milliseconds, wake }));
  let connections: Connections | undefined;
  let embedded: Feature[] = [];
  const app = await startInvestmentsApp({
    existingDatabase: options.existingDatabase,
    async addFeature(http, { testDatabase, guards, investments }) {
      const key = options.key ?? CONNECTIONS_KEY;
      const shared = { sql: testDatabase.database.service, logger, baseUrl: 'http://tally.test', key, now, wait };
      const offersSandbox = options.sandbox ?? true;
      const embeddedBank =
        offersSandbox && !options.bank ? createEmbeddedBank({ ...shared, toClientUserId }) : undefined;
      const embeddedBrokerage = offersSandbox && !options.brokerage ? createEmbeddedBrokerage(shared) : undefined;
      embedded = [embeddedBank, embeddedBrokerage].filter((feature) => feature !== undefined);
      connections = createConnections({
        database: testDatabase.database,
        logger,
        jobs: createJobs(testDatabase.database),
        metrics: { registry },
        guards,
        baseUrl: 'http://tally.test',
        portfolios: investments,
        onConnected: async (sql, idpId, connection) => {
          connectedEvents.push({ idpId, kind: connection.kind });
          await options.onConnected?.(sql, idpId, connection);
        },
        settings: {
          keys: {
            current: key,
            previous: options.previousKey,
            isPreviousLost: options.isPreviousLost ?? false,
          },
          bank: options.bank ?? embeddedBank?.client,
          brokerage: options.brokerage ?? embeddedBrokerage?.client,
        },
        ...(options.finishTimeoutMs !== undefined && { finishTimeoutMs: options.finishTimeoutMs }),
      });
      await connections.register(http);
      for (const feature of embedded) await feature.register!(http);
    },
  });
  let stop: (() => Promise<void>) | undefined;
  let worker: Worker | undefined;
  const startDelivery = (url: string) => {
    const stopDeliveries = embedded.map((feature) => feature.startBackground!(url) as () => Promise<void>);
    return async () => {
      await Promise.all(stopDeliveries.map((end) => end()));
    };
  };
  const closeApp = app.close;
  const close = async (): Promise<void> => {
    await stop?.();
    await worker?.stop();
    sleepers.forEach(({ wake }) => wake());
    await connections!.close!();
    await closeApp();
  };
  return Object.assign(app, {
    connections: connections!,
    deleteMember: <T>(idpId: string, during: () => Promise<T>) =>
      app.database.service.transaction(async (sql) => {
        await deleteMember(sql, idpId, [...embedded, connections!]);
        return during();
      }),
    registry,
    connectedEvents,
    close,
    startDelivery,
    readLog: () => lines.join(''),
    advanceClock(seconds: number) {
      offset += seconds * 1_000;
      const elapsedSleepers = sleepers.filter(({ until }) => until <= now().getTime());
      sleepers = sleepers.filter((sleeper) => !elapsedSleepers.includes(sleeper));
      elapsedSleepers.forEach(({ wake }) => wake());
    },
    async startWork() {
      stop = startDelivery(app.url);
      const schedule = connections!.schedules ?? [];
      worker = await createJobs(app.database).startWorker(connections!.tasks!, { schedule, pollIntervalMs: 100 });
    },
  });
}

interface PageVisit {
  user?: string;
  password?: string;
  bank?: string;
  /** Number of accounts to choose, if the page offers a choice. */
  choose?: number;
  /** Last digits of the accounts to choose, instead of all accounts. */
  masks?: readonly string[];
}

/**
 * Completes the hosted page of the embedded bank as a browser would: sign-in, then the accounts. Returns the address of
 * the redirect.
 */
export async function completeBankPage(
  app: Pick<ConnectionsApp, 'url'>,
  url: string,
  visit: PageVisit = {},
): Promise<ApiResponse> {
  const { user = 'user_good', password = 'pass_good', bank = 'ins_sandbox_1', choose, masks } = visit;
  const page = `${app.url}${new URL(url).pathname}`;
  await sendRequest(page, 'GET');
  const post = (fields: [string, string][]): Promise<ApiResponse> =>
    sendRequest(page, 'POST', new URLSearchParams(fields));
  const signedIn = await post([
    ['action', 'sign-in'],
    ['user', user],
    ['password', password],
    ['bank', bank],
  ]);
  const accounts = [...String(signedIn.body).matchAll(/name="account" value="([^"]+)"/g)]
    .map(([, id]) => id!)
    .filter((id) => !masks || masks.some((mask) => id.endsWith(`_${mask}`)));
  if (signedIn.status !== 200 || accounts.length === 0) return signedIn;
  return post([['action', 'connect'], ...accounts.slice(0, choose).map((id) => ['account', id] as [string, string])]);
}

interface PortalVisit {
  user?: string;
  password?: string;
  scenario?: string;
  brokerage?: string;
}

/**
 * Completes the portal of the embedded brokerage as a browser would. Returns the address of the redirect, or the shown
 * page.
 */
export async function completeBrokeragePortal(
  app: Pick<ConnectionsApp, 'url'>,
  url: string,
  visit: PortalVisit = {},
): Promise<ApiResponse> {
  const { user = 'user_good', password = 'pass_good', scenario = 'self_directed', brokerage = 'SANDBOX' } = visit;
  const page = `${app.url}${new URL(url).pathname}`;
  await sendRequest(page, 'GET');
  const fields = { action: 'sign-in', user, password, scenario, brokerage };
  return sendRequest(page, 'POST', new URLSearchParams(fields));
}

/** Returns the query of the redirect, which the return page sends to the service. */
export const parseReturn = ({ headers }: ApiResponse): Record<string, string> =>
  Object.fromEntries(new URL(headers.get('location')!).searchParams);

/** Starts an attempt and asserts its success. */
export async function startAttempt(app: ConnectionsApp, member: string, extra: object = {}) {
  const { status, body } = await app.call('POST', '/api/connections/start', member, { kind: 'bank', ...extra });
  if (status !== 201) throw new Error(`The attempt did not begin: ${JSON.stringify(body)}`);
  return body as { attempt_id: string; url: string };
}

export const finish = (
  app: ConnectionsApp,
  member: string,
  attempt_id: string,
  returned?: Record<string, string>,
): Promise<ApiResponse> =>
  app.call('POST', '/api/connections/finish', member, { attempt_id, ...(returned && { returned }) });

/** Finishes an attempt like the page: retries while another claimer, such as a webhook, is handling it. */
async function connectAccount(
  app: ConnectionsApp,
  member: string,
  attempt_id: string,
  returned?: Record<string, string>,
) {
  let response: ApiResponse['body'] = {};
  await eventually(
    async () => {
      response = (await finish(app, member, attempt_id, returned)).body;
      return response.status !== 'pending';
    },
    () => 'the attempt ends',
  );
  if (response.status !== 'connected') throw new Error(`It did not connect: ${JSON.stringify(response)}`);
  return response.connection as { id: string; accounts: { id: string; name: string; balance: number }[] };
}

/** Connects a brokerage by its portal and returns the connection. */
export async function connectBrokerage(app: ConnectionsApp, member: string, visit: PortalVisit = {}) {
  const { attempt_id, url } = await startAttempt(app, member, { kind: 'brokerage' });
  const returned = parseReturn(await completeBrokeragePortal(app, url, visit));
  return connectAccount(app, member, attempt_id, returned);
}

/** Connects a bank by its page and returns the connection. */
export async function connect(app: ConnectionsApp, member: string, visit: PageVisit = {}) {
  const { attempt_id, url } = await startAttempt(app, member);
  await completeBankPage(app, url, visit);
  return connectAccount(app, member, attempt_id);
}
