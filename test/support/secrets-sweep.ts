import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { ConnectionKind } from '../../src/features/connections/contract.ts';
import { type AggregatorCall, type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { embeddedKeys } from './aggregator-over-socket.ts';
import {
  type ConnectionsApp,
  parseReturn,
  startConnectionsApp,
  completeBankPage,
  completeBrokeragePortal,
} from './connections-app.ts';
import { eventually } from './eventually.ts';
import { dumpDatabase, findTraces } from './find-traces.ts';
import { type ApiResponse, callBackend, createEmail, SECRET_KEY, sendRequest, TestBrowser } from './identity.ts';
import { type LoggedService, startLoggedService } from './logged-service.ts';

export interface Sweep {
  /** Used keys and tokens, which no place may contain. */
  secrets: readonly string[];
  /** Everything written or returned, by place. */
  places: Readonly<Record<'log' | 'database' | 'jobs' | 'metrics' | 'answers', string>>;
  /** Number of calls of the flows by outcome, for example `finish connected`. */
  outcomes: Readonly<Record<string, number>>;
}

type Fault = (call: AggregatorCall, response: ServerResponse) => void;

/** Returns a response that repeats the whole call with keys and tokens, like an aggregator's error page. */
const repeating =
  (status: number, wrap: (call: string) => string): Fault =>
  (call, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(wrap(JSON.stringify(call)));
  };
const createCodedFault =
  (code: string) =>
  (call: string): string =>
    JSON.stringify({
      error_type: call,
      error_code: code,
      error_message: call,
      display_message: call,
      request_id: call,
      // The brokerage aggregator uses these fields.
      detail: call,
      code: call,
      default_detail: call,
      default_code: call,
    });

/** The fault of each round. The last round has none. */
const FAULTS: readonly (Fault | undefined)[] = [
  repeating(500, createCodedFault('INTERNAL_SERVER_ERROR')),
  repeating(502, (call) => `<html>${call}</html>`),
  repeating(400, createCodedFault('ITEM_LOGIN_REQUIRED')),
  repeating(200, (call) => `{"access_token": ${call}`),
  (_call, response) => {
    response.destroy();
  },
  repeating(429, createCodedFault('RATE_LIMIT_EXCEEDED')),
  repeating(400, (call) => JSON.stringify({ error_code: call, error_message: call })),
  undefined,
];

/**
 * Runs the flows of connections through a whole service with aggregators that fail every few calls. Returns what the
 * service logged at the level trace, stored, queued, measured and returned. Every key and token is new. Throws if it
 * cannot find a planted token.
 */
export async function sweepSecrets(rounds: number): Promise<Sweep> {
  await using stack = new AsyncDisposableStack();
  const embeddedApp = await startConnectionsApp();
  stack.defer(() => embeddedApp.close());
  const faultProxies = [
    await startFaultProxy(embeddedApp.url, '/_bank'),
    await startFaultProxy(embeddedApp.url, '/_brokerage'),
  ] as const;
  stack.defer(() => faultProxies.forEach(({ close }) => close()));
  const bank = embeddedKeys('bank');
  const brokerage = embeddedKeys('brokerage');
  const keys = { CONNECTIONS_KEY: createMasterKey(), CONNECTIONS_KEY_PREVIOUS: createMasterKey() };
  const metricsToken = createMasterKey();
  const service = await startLoggedService({
    PLAID_CLIENT_ID: bank.clientId,
    PLAID_SECRET: bank.secret,
    PLAID_BASE_URL: faultProxies[0].baseUrl,
    SNAPTRADE_CLIENT_ID: brokerage.clientId,
    SNAPTRADE_CONSUMER_KEY: brokerage.secret,
    SNAPTRADE_BASE_URL: faultProxies[1].baseUrl,
    ...keys,
    IDP_SECRET_KEY: SECRET_KEY,
    METRICS_TOKEN: metricsToken,
    API_RATE_LIMIT: '100000',
    TRUSTED_PROXIES: '127.0.0.1',
  });
  stack.defer(() => service.stop());
  stack.defer(embeddedApp.startDelivery(service.url));
  const raw = Object.values(keys).map((key) => Buffer.from(key, 'hex').toString('latin1'));
  const secrets = new Set([bank.secret, brokerage.secret, ...Object.values(keys), ...raw]);
  for (const proxy of faultProxies) proxy.onResponse = (answer) => collectSecrets(answer, secrets);
  await recordJobs(service);

  const flows = new Flows(service, embeddedApp, faultProxies);
  for (let round = 0; round < rounds; round += 1) await flows.run(round);
  for (const proxy of faultProxies) proxy.fault = undefined;
  await eventually(async () => (await service.database.owner(MAKE_JOBS_DUE)).length === 0);
  const metrics = await sendRequest(`${service.url}/metrics`, 'GET', undefined, {
    authorization: `Bearer ${metricsToken}`,
  });
  const database = await dumpDatabase(service.database);
  const jobs = await readJobs(service);
  const [token] = [...secrets].filter((secret) => secret.startsWith('access-'));
  await service.database.owner(`insert into public.aggregator_deliveries (provider, id) values ('planted', $1)`, [
    token,
  ]);
  if (findTraces(await dumpDatabase(service.database), [token!]).length === 0)
    throw new Error('The sweep does not find a token that was planted in the database.');
  const { answers, outcomes } = flows;
  const places = { log: service.log(), database, jobs, metrics: String(metrics.body), answers: answers.join('\n') };
  return { secrets: [...secrets], places, outcomes };
}

const createMasterKey = (): string => randomBytes(32).toString('hex');

/** Adds every secret and token in an aggregator's response. */
function collectSecrets(answer: unknown, secrets: Set<string>): void {
  if (typeof answer !== 'object' || answer === null) return;
  for (const [key, value] of Object.entries(answer)) {
    if (typeof value === 'string' && /(token|secret)$/i.test(key)) secrets.add(value);
    collectSecrets(value, secrets);
  }
}

const MAKE_JOBS_DUE = `select 1 as due from graphile_worker._private_jobs j
  where j.run_at <= now() and j.attempts < j.max_attempts`;

/** Stores every job at its insert and update, since finished jobs are deleted. */
async function recordJobs({ database }: LoggedService): Promise<void> {
  await database.owner('create table public.seen_jobs (job text)');
  await database.owner(`create function public.keep_job() returns trigger language plpgsql security definer as
    $$ begin insert into public.seen_jobs values (new::text); return new; end $$`);
  await database.owner(`create trigger keep_job after insert or update on graphile_worker._private_jobs
    for each row execute function public.keep_job()`);
}

const readJobs = async ({ database }: LoggedService): Promise<string> =>
  (await database.owner<{ job: string }>('select job from public.seen_jobs')).map(({ job }) => job).join('\n');

/** Runs a member's actions and stores the responses. */
class Flows {
  readonly answers: string[] = [];
  readonly outcomes: Record<string, number> = {};
  readonly #service: LoggedService;
  readonly #embeddedApp: ConnectionsApp;
  readonly #faultProxies: readonly FaultProxy[];
  #isFaultActive = true;

  constructor(service: LoggedService, embeddedApp: ConnectionsApp, faultProxies: readonly FaultProxy[]) {
    this.#service = service;
    this.#embeddedApp = embeddedApp;
    this.#faultProxies = faultProxies;
  }

  /**
   * Connects, repairs and reads, then removes, leaves or stays. Every third to fifth call fails in the way of the
   * round.
   */
  async run(round: number): Promise<void> {
    const fault = FAULTS[round % FAULTS.length];
    const every = 3 + (Math.floor(round / FAULTS.length) % 3);
    let calls = round;
    const kind = (round + Math.floor(round / FAULTS.length)) % 2 === 0 ? 'bank' : 'brokerage';
    for (const proxy of this.#faultProxies)
      proxy.fault = (call, response) =>
        fault && this.#isFaultActive && ++calls % every === 0 ? fault(call, response) : false;
    const browser = new TestBrowser(this.#service.url, this.#service.url);
    // The client address is unique, since sign-ups per address are limited.
    const sent = { email_address: createEmail(), password: 'correct horse battery' };
    const from = { 'x-forwarded-for': `10.0.${round >> 8}.${round & 255}` };
    const { created_user_id: userId, created_session_id: sessionId } = (
      await browser.call('POST', '/client/sign_ups', sent, from)
    ).body.response as Record<'created_user_id' | 'created_session_id', string>;
    const call = async (method: string, path: string, body?: object): Promise<ApiResponse> => {
      const authorization = `Bearer ${await browser.token(sessionId)}`;
      const answer = await sendRequest(`${this.#service.url}${path}`, method, body, { authorization });
      const { url: _hosted, ...rest } = Object(answer.body) as Record<string, unknown>;
      this.answers.push(JSON.stringify([[...answer.headers], typeof answer.body === 'string' ? answer.body : rest]));
      const name = path.replace('/api/connections', '').replace(/[0-9a-f-]{36}/, ':id');
      this.#count(`${method} ${name} ${(rest['status'] as string | undefined) ?? answer.status}`);
      return answer;
    };
    const id = await this.#connect(call, { kind });
    if (id !== undefined) {
      await this.#embeddedApp.owner(`update bank_sandbox.items set state = 'login_required' where state = 'good'`);
      await this.#connect(call, { kind, repair: id });
      await this.#connect(call, { kind });
      await call('GET', '/api/connections');
      await call('GET', '/api/net-worth');
      if (round % 2 === 0) await call('DELETE', `/api/connections/${id}`);
    }
    if (round % 4 === 1) await callBackend(this.#service.url, 'DELETE', `/users/${userId}`);
  }

  /** Runs an attempt to its end, or until it stays pending. The first one meets a database that rejects its rows. */
  async #connect(
    call: (method: string, path: string, body?: object) => Promise<ApiResponse>,
    what: { kind: ConnectionKind; repair?: string },
  ): Promise<string | undefined> {
    let started = await call('POST', '/api/connections/start', what);
    for (let attempt = 0; started.status === 503 && attempt < 6; attempt += 1)
      started = await call('POST', '/api/connections/start', what);
    if (started.status !== 201) return undefined;
    const { attempt_id, url } = started.body as { attempt_id: string; url: string };
    const visit = what.kind === 'bank' ? completeBankPage : completeBrokeragePortal;
    const sent = await visit(this.#embeddedApp, url, { user: 'user_twice' });
    const returnResponse = sent.headers.get('location') !== null && { returned: parseReturn(sent) };
    const returned = what.kind === 'brokerage' && returnResponse;
    const isRejected = what.repair === undefined && this.outcomes['POST /finish 500'] === undefined;
    const { owner } = this.#service.database;
    if (isRejected) await owner('alter table public.connections add constraint broken check (false) not valid');
    let finished: ApiResponse | undefined;
    for (let attempt = 0; attempt < 8; attempt += 1) {
      // The pending attempts end here.
      this.#isFaultActive = attempt < 5;
      finished = await call('POST', '/api/connections/finish', { attempt_id, ...returned });
      if (isRejected && finished.status === 500) await owner('alter table public.connections drop constraint broken');
      else if (finished.body.status !== 'pending') break;
    }
    this.#isFaultActive = true;
    await owner('alter table public.connections drop constraint if exists broken');
    return finished?.body.connection?.id as string | undefined;
  }

  #count(outcome: string): void {
    this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1;
  }
}
