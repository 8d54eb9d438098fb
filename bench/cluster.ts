/**
 * `npm run bench -- cluster [--members 20000] [--items 20] [--requests 240] [--workers 0,2] [--grow]` measures the
 * processor time of the database for each route of a member, on one PostgreSQL (`0`) and on clusters with this number
 * of workers, all on this machine. With `--grow` it measures reads of the list alone. Processor time is what several
 * machines would share, so it shows the growth that one machine cannot. It also counts the statements of a request,
 * their tasks (commands on shards) and the most servers that one of them asks. Needs Linux, and for workers a PostgreSQL
 * with Citus: test/slow/build-citus.sh builds it.
 */
import { join } from 'node:path';
import { findNative } from '../src/platform/database/embedded-server/binaries.ts';
import { LOG_FILE_SETTINGS, type StatementTasks, TaskLog } from '../test/slow/citus/statement-tasks.ts';
import { findCitus, startCitus } from '../test/support/citus.ts';
import { startService, type TestService } from '../test/support/service.ts';
import { fillMembers, signUpEvenly, type SignedInMember } from './cluster/fill-members.ts';
import { readProcessorTimes } from './cluster/processor-time.ts';
import { parseOptions } from '../tools/run/parse-options.ts';

const { values: options } = parseOptions({
  usage: 'npm run bench -- cluster [--members 20000] [--items 20] [--requests 240] [--workers 0,2] [--grow]',
  options: {
    members: { type: 'string', default: '20000' },
    items: { type: 'string', default: '20' },
    requests: { type: 'string', default: '240' },
    workers: { type: 'string', default: '0,2' },
    grow: { type: 'boolean', default: false },
  },
});
const SHARDS = 32;
/** Members who send requests, at most 120. Each worker has the rows of the same number of them. */
const signedIn = Math.min(120, Number(options.members));
/** Requests at a time. */
const CONCURRENCY = 4;

type Route = (member: SignedInMember) => Promise<unknown>;

interface Result {
  /** Processor time in ms of each server for one request, the coordinator first. */
  times: number[];
  /** Statements of one request. */
  statements: StatementTasks[];
}

const LIST = 'GET /api/watchlist';
const READS = [
  LIST,
  'GET /api/home',
  'GET /api/accounts',
  'GET /api/investments/holdings',
  'GET /api/investments/positions',
  'GET /api/portfolio/holdings',
  'GET /api/net-worth',
  'GET /api/watchlist/earnings',
  'GET /api/watchlist/ticker/AAPL',
  'GET /api/earnings',
  'GET /api/news',
  'GET /api/dashboard',
  'GET /api/portfolio/settings',
  'GET /api/connections',
  'GET /api/billing',
  'GET /api/me',
];

const createRead = (route: string): [string, Route] => {
  const path = route.slice('GET '.length);
  return [route, (member) => member.call('GET', path)];
};

/** Writes keep the number of each member's rows, so that each request does the same work. */
const WRITES: [string, Route][] = [
  [
    'PUT /api/watchlist/order',
    async (member) => {
      const ids = await readItemIds(member);
      return await member.call('PUT', '/api/watchlist/order', { ids: [...ids.slice(1), ids[0]!] });
    },
  ],
  [
    'POST and DELETE /api/watchlist',
    async (member) => {
      await member.call('POST', '/api/watchlist', { symbol: 'ZM' });
      const ids = await readItemIds(member);
      return await member.call('DELETE', `/api/watchlist/${ids.at(-1)!}`);
    },
  ],
  [
    'POST and DELETE /api/accounts',
    async (member) => {
      const account = { name: 'Savings', currency: 'USD', balance: 5 };
      const created = (await member.call('POST', '/api/accounts', account)) as { account: { id: string } };
      return await member.call('DELETE', `/api/accounts/${created.account.id}`);
    },
  ],
];

async function readItemIds(member: SignedInMember): Promise<string[]> {
  const { items } = (await member.call('GET', '/api/watchlist')) as { items: { id: string }[] };
  return items.map(({ id }) => id);
}

/** Sends `rounds` requests of a route in the name of each member, whose writes would conflict at the same time. */
async function sendAll(route: Route, members: readonly SignedInMember[], rounds: number): Promise<void> {
  const send = async (_: unknown, sender: number): Promise<void> => {
    const ownMembers = members.filter((_member, index) => index % CONCURRENCY === sender);
    for (let round = 0; round < rounds; round += 1) for (const member of ownMembers) await route(member);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, send));
}

/** Returns the processor time in ms of each server for one request of the route. */
async function measure(route: Route, members: readonly SignedInMember[], pids: readonly number[]): Promise<number[]> {
  const rounds = Math.ceil(Number(options.requests) / members.length);
  // A new token in the measured time would count as time of the route.
  for (const member of members) await member.renewToken();
  await sendAll(route, members, 2);
  const before = readProcessorTimes(pids);
  await sendAll(route, members, rounds);
  // The time of a process that ended meanwhile is rounded down, so a server without work would have less than before.
  const used = readProcessorTimes(pids).map((time, server) => Math.max(0, time - before[server]!));
  return used.map((time) => time / (rounds * members.length));
}

/** Returns the statements of one request, whose caches are filled. */
async function readStatements(log: TaskLog, route: Route, member: SignedInMember): Promise<StatementTasks[]> {
  const runs: StatementTasks[][] = [];
  for (let run = 0; run < 3; run += 1) {
    await log.readNew();
    await route(member);
    runs.push(await log.readNew());
  }
  // Work in the background sometimes adds statements of its own.
  return runs.toSorted((a, b) => a.length - b.length)[0]!;
}

/** Starts the servers and the service, fills the tables and measures each route. */
async function measureCluster(bin: string, workers: number): Promise<Map<string, Result>> {
  const citus = await startCitus(bin, {
    workers,
    shards: SHARDS,
    settings: { shared_buffers: '256MB', ...LOG_FILE_SETTINGS },
  });
  Object.assign(process.env, citus.env);
  let service: TestService | undefined;
  try {
    const readNodes = citus.cluster.workers?.map((worker) => new URL(worker).host).join(',');
    service = await startService({
      WORKER: 'off',
      API_RATE_LIMIT: '1000000',
      TRUSTED_PROXIES: '127.0.0.1',
      ...(readNodes && { DB_READ_NODES: readNodes }),
    });
    const members = await signUpEvenly(service, signedIn, workers);
    await fillMembers(service, members, Number(options.members), Number(options.items));
    const routes = options.grow ? [createRead(LIST)] : [...READS.map(createRead), ...WRITES];
    const results = new Map<string, Result>();
    for (const [name, route] of routes)
      results.set(name, { times: await measure(route, members, citus.pids), statements: [] });
    const log = new TaskLog(citus, service.database);
    await log.start();
    for (const [name, route] of routes) results.get(name)!.statements = await readStatements(log, route, members[0]!);
    return results;
  } finally {
    await service?.stop();
    await citus.stop();
  }
}

const format = (value: number): string => value.toFixed(2);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const workerCounts = options.workers.split(',').map(Number);
// One PostgreSQL needs no Citus.
const bin = workerCounts.some((count) => count > 0) ? await findCitus() : join(await findNative(), 'bin');
if (bin === undefined) {
  console.error('There is no PostgreSQL with Citus: test/slow/build-citus.sh builds it; CITUS_BIN names another.');
  process.exit(1);
}
console.log(
  `${options.members} members of ${options.items} tickers and holdings, ${options.requests} requests a route, ` +
    'processor time of the database in ms a request',
);
let single: Map<string, Result> | undefined;
for (const count of workerCounts) {
  const results = await measureCluster(bin, count);
  if (count === 0) single = results;
  console.log(count === 0 ? '\nOne PostgreSQL' : `\nA coordinator and ${count} workers`);
  const rows = [...results].map(([route, { times, statements }]) => {
    const [first = 0, ...workers] = times;
    const alone = single?.get(route)?.times[0];
    const row = {
      statements: statements.length,
      ...(count > 0 && {
        tasks: sum(statements.map(({ tasks }) => tasks)),
        'most servers': Math.max(0, ...statements.map(({ servers }) => servers)),
      }),
      ...(count === 0
        ? { PostgreSQL: format(first) }
        : {
            coordinator: format(first),
            workers: workers.map(format).join(' + '),
            ...(workers.length > 1 && {
              'busiest / mean worker': format(Math.max(...workers) / (sum(workers) / workers.length)),
            }),
            ...(alone && { 'coordinator / one PostgreSQL': format(first / alone) }),
            ...(options.grow && {
              'requests a second of the busiest worker': Math.round(1_000 / Math.max(...workers)),
            }),
          }),
    };
    return [route, row] as const;
  });
  console.table(Object.fromEntries(rows));
}
