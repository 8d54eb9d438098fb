/**
 * `npm run lab -- two-processes [adds]` (default 60): `tally start --processes 2` on one database, with a Redis. Adds
 * race over both against the limit of a list; requests of one key and of one member race against their limits a minute;
 * then the second process is killed, and once more ended in order, while clients send. Prints what came of each and
 * ends with 1 where a limit was overrun, or a client lost more than the request that it had under way.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../test/support/eventually.ts';
import { connectionsOf, prepareDatabase, startRedis, startSeveral } from '../test/support/several-processes.ts';
import { addSymbols, addTo, memberWith, standingOf } from '../test/support/watchlist-race.ts';

const adds = Number(process.argv[2] ?? 60);
const COUNTS = 50;
const READS = 300;
const LIST = 20;

let wrong = 0;
const report = (good: boolean, name: string, figures: string): void => {
  if (!good) wrong += 1;
  console.log(`${good ? 'ok    ' : 'WRONG '} ${name.padEnd(46)} ${figures}`);
};

const redis = await startRedis();
const { db, key } = await prepareDatabase();
const service = await startSeveral(db, {
  processes: 2,
  redisUrl: redis.url,
  settings: { TOKEN_COUNT_RATE_LIMITS: [COUNTS, COUNTS, COUNTS, COUNTS].join(','), API_RATE_LIMIT: String(READS) },
});
const port = Number(new URL(service.url).port);

/** How many of the answers have each status. */
function tally(statuses: readonly (number | string)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Sends on a connection of its own, which either process may accept. */
const once = async (path: string, init: RequestInit = {}): Promise<number | string> => {
  const headers = { ...(init.headers as Record<string, string>), connection: 'close' };
  return fetch(`${service.url}${path}`, { ...init, headers, signal: AbortSignal.timeout(20_000) }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    (error: Error) => (error.cause as { code?: string } | undefined)?.code ?? error.name,
  );
};

try {
  console.log(`two processes (${service.pids().join(', ')}), ${redis.kind}`);
  const symbols = await addSymbols(db, adds);
  const member = await memberWith(db, service.url, 'free', []);
  const racing = Promise.all(symbols.map(async (symbol) => (await addTo(member, symbol)(service.url)).status));
  const shares = connectionsOf(service.pids(), port);
  const statuses = tally(await racing);
  const { rows, dense } = await standingOf(db, member.idpId);
  report(
    rows === LIST && dense && statuses[201] === LIST && statuses[403] === adds - LIST,
    `${adds} adds at once to a list of at most ${LIST}`,
    `${JSON.stringify(statuses)}, ${rows} rows, dense ${dense}, connections ${shares.join(' and ')}`,
  );

  const body = JSON.stringify({ model: 'claude-opus-4-6', messages: [{ role: 'user', content: 'Hello' }] });
  const headers = { 'x-api-key': key, 'svc-version': '2023-06-01', 'content-type': 'application/json' };
  const count = () => once('/v1/messages/count_tokens', { method: 'POST', headers, body });
  const counted: number[] = [];
  const refused: (number | string)[] = [];
  // Longer than a window, so that what is free again is taken by both at once.
  for (const end = performance.now() + 75_000; performance.now() < end; await sleep(250))
    for (const status of await Promise.all(Array.from({ length: 8 }, count)))
      if (status === 200) counted.push(performance.now());
      else refused.push(status);
  // A request is counted up to a second before its answer arrives.
  const most = Math.max(...counted.map((from) => counted.filter((at) => at >= from && at < from + 59_000).length));
  const alone = await service.figure('token_count_rate_limit_fallback_total');
  report(
    most <= COUNTS && alone === 0,
    `counts of one key, ${COUNTS} a minute`,
    `${counted.length} in 75 s, ${most} in the fullest 59 s, refused ${JSON.stringify(tally(refused))}, ` +
      `${alone} counted without Redis`,
  );

  const other = await memberWith(db, service.url, 'free', []);
  const reads = tally(
    await Promise.all(Array.from({ length: READS + 150 }, () => once('/api/watchlist', { headers: other.headers }))),
  );
  // Its first request was that of memberWith.
  report(reads[200] === READS - 1, `requests of one member, ${READS} a minute`, JSON.stringify(reads));

  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const [, second] = service.pids();
    const seen: (number | string)[] = [];
    let ended = false;
    const clients = Array.from({ length: 8 }, async () => {
      while (!ended) seen.push(await once('/healthz'));
    });
    await sleep(1_000);
    const at = performance.now();
    process.kill(second!, signal);
    await eventually(() => service.pids().length === 2 && !service.pids().includes(second!));
    await eventually(async () => (await service.figure('service_processes')) === 2);
    const took = performance.now() - at;
    ended = true;
    await Promise.all(clients);
    const { 200: good = 0, 503: stopping = 0, ...broken } = tally(seen);
    const lost = Object.values(broken).reduce((sum, n) => sum + n, 0);
    report(
      lost <= clients.length,
      `${signal} to one of two under load`,
      `${good} answered, ${stopping} told to send again, broken ${JSON.stringify(broken)}; two again after ` +
        `${Math.round(took)} ms`,
    );
  }
} finally {
  await service.stop();
  await redis.stop();
  await db.drop();
}
process.exitCode = wrong > 0 ? 1 : 0;
