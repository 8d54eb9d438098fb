import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createApiKey } from '../../src/token-counting/create-api-key.ts';
import { freePort } from '../run/free-port.ts';
import { startBalancer, startPooler, startRedis } from './neighbours.ts';
import { createPart, type Part } from './part.ts';
import { type OwnPostgres, passwords, startPostgres } from './postgres.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The address in tokens, cookies and links. */
export const SITE = 'http://tally.test';
const METRICS_TOKEN = 'a-token-of-the-metrics';
export const OPERATOR_TOKEN = 'd0'.repeat(32);

export interface Stack {
  /** The balancer's address. */
  url: string;
  /** The addresses of the servers behind it. */
  serverUrls: readonly string[];
  servers: readonly Part[];
  worker: Part;
  postgres: OwnPostgres;
  redis: Part;
  pooler: Part;
  balancer: Part;
  /** An API key for counting, of another organisation each time. */
  createKey(organisation: string, usageTier: 1 | 2 | 3 | 4): Promise<string>;
  /** A figure of one server's metrics; several series are added up. */
  figure(server: number, name: string): Promise<number>;
  /** Resolves once a server has been ready for 1.5 s: its balancer knows by then, and the next one may stop. */
  ready(server: number): Promise<void>;
  /** The same, started again under other circumstances; what is left out stays as it is. */
  relaunch(how: Launch): Promise<void>;
}

/** How the servers and the worker are started. */
interface Launch {
  settings?: Readonly<Record<string, string>>;
  /** What the command line begins with, such as `unshare -m`. */
  before?: readonly string[];
  env?: (name: string) => Readonly<Record<string, string>>;
}

/**
 * Two servers and a worker behind a balancer, with a pooler, a PostgreSQL and a Redis, each a process of this machine.
 * All end with `stack`.
 */
export async function startStack(
  stack: AsyncDisposableStack,
  { diskMb, ...first }: Launch & { diskMb?: number } = {},
): Promise<Stack> {
  const postgres = await startPostgres(stack, { diskMb });
  const [redis, pooler] = await Promise.all([startRedis(stack), startPooler(stack, postgres.port)]);
  const ports = [await freePort(), await freePort()];
  let launch: Launch = first;
  const fixed = {
    DATA_DIR: '/nonexistent',
    DB_URL: postgres.urls.authenticator.replace(`:${postgres.port}/`, `:${pooler.port}/`),
    DB_WORKER_URL: `postgres://127.0.0.1:${postgres.port}/tally`,
    DB_SERVICE_ROLE_KEY: passwords.service,
    DB_ASSISTANT_KEY: passwords.assistant,
    REDIS_URL: `redis://127.0.0.1:${redis.port}`,
    BASE_URL: SITE,
    TRUSTED_PROXIES: '127.0.0.1',
    CONNECTIONS_KEY: 'c0'.repeat(32),
    DEMO_ACCESS_OPERATOR_TOKEN: OPERATOR_TOKEN,
    METRICS_TOKEN,
    SANDBOX: 'on',
    API_RATE_LIMIT: '1000000',
    LOG_LEVEL: 'warn',
  };
  const program = (name: string, command: readonly string[], own: Record<string, string>, ready: RegExp): Part =>
    createPart(name, () => ({
      command: [...(launch.before ?? []), process.execPath, 'bin/tally.mjs', ...command],
      options: {
        cwd: root,
        env: { PATH: process.env['PATH'], ...fixed, ...launch.settings, ...launch.env?.(name), ...own },
      },
      serves: (output) => ready.test(output),
    }));
  const servers = ports.map((port, i) =>
    program(
      `server ${i + 1}`,
      ['start'],
      { PORT: String(port), WORKER: 'off', SHUTDOWN_DRAIN_SECONDS: '2' },
      /^ready http/m,
    ),
  );
  const worker = program('worker', ['worker'], { PORT: '0' }, /working|ready/);
  const ours = [...servers, worker];
  const startAll = () => Promise.all(ours.map((part) => part.start()));
  await startAll();
  stack.defer(async () => void (await Promise.all(ours.map((part) => part.end('SIGTERM')))));
  const balancer = await startBalancer(stack, ports);
  const serverUrls = ports.map((port) => `http://127.0.0.1:${port}`);
  return {
    url: `http://127.0.0.1:${balancer.port}`,
    ...{ serverUrls, servers, worker, postgres },
    ...{ redis: redis.part, pooler: pooler.part, balancer: balancer.part },
    async createKey(organisation, usageTier) {
      const created = await createApiKey(postgres.database.service, { organisation, usageTier }, organisation);
      if (!created.ok) throw new Error('no key could be made');
      return created.key;
    },
    async figure(server, name) {
      const headers = { authorization: `Bearer ${METRICS_TOKEN}`, connection: 'close' };
      const text = await (await fetch(`${serverUrls[server]}/metrics`, { headers })).text();
      const values = [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))];
      return values.reduce((sum, [, value]) => sum + Number(value), 0);
    },
    async ready(server) {
      for (let good = 0; good < 4; await sleep(500)) {
        const ok = await fetch(`${serverUrls[server]}/readyz`).then(
          (answer) => answer.ok,
          () => false,
        );
        good = ok ? good + 1 : 0;
      }
    },
    async relaunch(how) {
      launch = { ...launch, ...how };
      await Promise.all(ours.map((part) => part.end('SIGTERM')));
      await startAll();
    },
  };
}
