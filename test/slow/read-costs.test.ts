// @module-tag slow
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { test, type TestContext } from 'vitest';
import { findHolder } from '../../tools/describe-writes.ts';
import { type RouteEntry, type ServiceWithRoutes, startServiceWithRoutes } from '../support/every-route.ts';
import { median } from '../support/median.ts';
import { createPath, createPaths } from '../support/read-paths.ts';
import { startClient } from '../support/repeat-requests.ts';

/** Requests of a batch. */
const REQUESTS = 10;
const BATCHES = 5;

/** Rows that a unit of work writes and parses. It takes about a millisecond where 5 ms was chosen as the limit. */
const ROWS = Array.from({ length: 1_300 }, (_, id) => ({ id, name: `Row ${id}`, price: id / 7, tags: ['a', 'b'] }));

/** The unit in which a request is measured is JSON work, since its time and that of a route depend alike on the machine. */
const doUnit = (): unknown => JSON.parse(JSON.stringify(ROWS));

/** Units of processor time, as 5 ms, above which a route must name a limit. What is cached costs less. */
const MAX_UNITS = 5;

/** Routes that answer no request of the test with success. */
const NOT_CALLED: Readonly<Record<string, string>> = {
  '/_pay/invoice/:token': 'a card that fails at a renewal creates the page',
  '/_pay/portal/:token': 'a paid plan creates the page',
};

const CONVERSATION = '0199a7c2-5c1e-7d3a-9b52-3f0c8e6d1a47';

const PLANTED = '/planted';
const PLANTED_WITH_LIMIT = '/planted-with-limit';

/** Adds two costly routes to the service that starts until the test ends, one of them with a limit. */
function plantRoutes(t: TestContext): void {
  const work = async (): Promise<string> => {
    for (let done = 0; done < 4 * MAX_UNITS; done += 1) doUnit();
    return 'done';
  };
  const plant = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url }) => {
      // Only the instance of the product has this route.
      if (method !== 'GET' || url !== '/healthz') return;
      fastify.get(PLANTED, work);
      const limit = { per: 'address' as const, rates: [{ limit: 10, windowMs: 60_000 }] };
      fastify.get(PLANTED_WITH_LIMIT, { config: { limit } }, work);
    });
  };
  subscribe('fastify.initialization', plant);
  t.onTestFinished(() => {
    unsubscribe('fastify.initialization', plant);
  });
}

/** Creates a referral link and a conversation of 50 questions, and returns the path of the link. */
async function createMemberPaths({ service, getCredentials }: ServiceWithRoutes): Promise<Record<string, string>> {
  const url = '/api/referrals/get-link';
  const response = await fetch(`${service.url}${url}`, { headers: await getCredentials({ method: 'GET', url }) });
  const { referral_link: link } = (await response.json()) as { referral_link: string };
  await service.database.owner(
    `insert into public.assistant_conversations (idp_id, id, title) select idp_id, $1, 'Test' from public.all_users`,
    [CONVERSATION],
  );
  await service.database.owner(
    `insert into public.assistant_messages (idp_id, conversation_id, role, text)
       select idp_id, $1, 'member', repeat('question ', 20) from public.all_users, generate_series(1, 50)`,
    [CONVERSATION],
  );
  return {
    '/api/referrals/validate-referrer': `/api/referrals/validate-referrer?ref=${link}`,
    '/api/assistant/conversations/:id': `/api/assistant/conversations/${CONVERSATION}`,
  };
}

/** Returns the processor time of this process in ms that `work` takes. */
async function measureProcessorTime(work: () => Promise<unknown> | void): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Returns the processor time of a unit in ms. */
async function measureUnit(): Promise<number> {
  const times: number[] = [];
  for (let batch = 0; batch < 2 * BATCHES; batch += 1)
    times.push(
      (await measureProcessorTime(() => {
        for (let done = 0; done < REQUESTS; done += 1) doUnit();
      })) / REQUESTS,
    );
  return median(times);
}

const hasLimit = ({ limit }: RouteEntry): boolean => limit?.rates.some((rate) => rate !== undefined) === true;

test('names a limit for every GET route that takes more than five units of processor time', async (t) => {
  plantRoutes(t);
  const every = await startServiceWithRoutes();
  t.onTestFinished(() => every.service.stop());
  const send = await startClient(t);
  const reads = every.routes.filter(
    ({ method, url }) => method === 'GET' && !url.startsWith('/assets/') && findHolder(url) === undefined,
  );
  for (const url of ['/', '/docs', '/metrics', '/api/plans', '/api/watchlist', '/_idp/v1/me', '/v1/models', PLANTED])
    assert.ok(
      reads.some((read) => read.url === url),
      url,
    );
  const paths: Readonly<Record<string, string>> = {
    ...(await createPaths(every)),
    ...(await createMemberPaths(every)),
  };
  const units = [await measureUnit()];

  /** Returns the statuses and the processor time of one request in ms, undefined if none succeeded. */
  const measure = async (read: RouteEntry, headers: Record<string, string>) => {
    const url = `${every.service.url}${paths[read.url] ?? createPath(read)}`;
    const times: number[] = [];
    const seen = new Set<number>();
    // The first batch fills caches.
    for (let batch = 0; batch <= BATCHES; batch += 1) {
      let statuses: number[] = [];
      const time = await measureProcessorTime(async () => {
        statuses = await send({ url, headers, count: REQUESTS });
      });
      for (const status of statuses) seen.add(status);
      if (!statuses.every((status) => status < 400)) break;
      if (batch > 0) times.push(time / REQUESTS);
    }
    return { statuses: [...seen], milliseconds: times.length > 0 ? median(times) : undefined };
  };

  const costs: { read: RouteEntry; caller: string; milliseconds: number }[] = [];
  const notCalled: string[] = [];
  for (const read of reads) {
    const seen: number[] = [];
    for (const [caller, headers] of [
      ['visitor', {}],
      ['holder', await every.getCredentials(read)],
    ] as const) {
      if (caller === 'holder' && Object.keys(headers).length === 0) continue;
      const { statuses, milliseconds } = await measure(read, headers);
      seen.push(...statuses);
      if (milliseconds !== undefined) costs.push({ read, caller, milliseconds });
    }
    // A route that used up its limit is called as often as anybody may.
    if (!seen.some((status) => status < 400 || (status === 429 && hasLimit(read)))) notCalled.push(read.url);
  }
  units.push(await measureUnit());
  const unit = Math.max(...units);

  const describe = ({ read, caller, milliseconds }: (typeof costs)[number]): string =>
    `${read.url} (${caller}): ${milliseconds.toFixed(2)} ms, ${(milliseconds / unit).toFixed(2)} units`;
  const sorted = costs.toSorted((a, b) => b.milliseconds - a.milliseconds);
  console.log(
    [
      `${reads.length} routes, a unit takes ${unit.toFixed(2)} ms of processor time`,
      'with a limit:',
      ...sorted
        .filter(({ read }) => hasLimit(read))
        .slice(0, 12)
        .map(describe),
      'without:',
      ...sorted
        .filter(({ read }) => !hasLimit(read))
        .slice(0, 12)
        .map(describe),
    ].join('\n'),
  );
  assert.deepEqual(notCalled.sort(), Object.keys(NOT_CALLED).sort(), 'give the route a path, or a reason');
  const unlimited = sorted.filter(({ read, milliseconds }) => milliseconds > MAX_UNITS * unit && !hasLimit(read));
  assert.deepEqual(
    [...new Set(unlimited.map(({ read }) => read.url))],
    [PLANTED],
    'limit the route, or cache its response',
  );
});
