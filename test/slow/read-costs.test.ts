// @module-tag slow
// @module-tag timed
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { test, type TestContext } from 'vitest';
import { findHolder } from '../../tools/describe-writes.ts';
import { type RouteEntry, type ServiceWithRoutes, startServiceWithRoutes } from '../support/every-route.ts';
import { median } from '../support/median.ts';
import { fillExample, createRowPaths } from '../support/read-paths.ts';
import { startRequestProcess } from '../support/repeat-requests.ts';

/** Requests of a batch. */
const REQUESTS = 10;
const BATCHES = 5;

/** A unit is the time of this JSON work, about 1 ms, so that the limit does not depend on the machine. */
const runUnit = (): unknown => JSON.parse(JSON.stringify(ROWS));
const ROWS = Array.from({ length: 1_300 }, (_, id) => ({ id, name: `Row ${id}`, price: id / 7, tags: ['a', 'b'] }));

/** Maximum units of a request to a route without a limit. */
const MAX_UNITS = 5;
/** Maximum units that one caller may use in a minute on a route with a limit, about 10 s of processor time. */
const MAX_UNITS_PER_MINUTE = 10_000;

/** Routes that answer no request of the test with success. */
const NOT_CALLED: Readonly<Record<string, string>> = {
  '/_pay/invoice/:token': 'a card that fails at a renewal creates the page',
  '/_pay/portal/:token': 'a paid plan creates the page',
};

const CONVERSATION = '0199a7c2-5c1e-7d3a-9b52-3f0c8e6d1a47';

const COSTLY_UNITS = 4 * MAX_UNITS;
const COSTLY_ROUTE = '/costly';
const COSTLY_ROUTE_WITH_LOW_LIMIT = '/costly-with-low-limit';
const COSTLY_ROUTE_WITH_HIGH_LIMIT = '/costly-with-high-limit';

/** Adds costly routes without a limit, with a limit, and with one too high, to services that start during the test. */
function addCostlyRoutes(t: TestContext): void {
  const work = async (): Promise<string> => {
    for (let done = 0; done < COSTLY_UNITS; done += 1) runUnit();
    return 'done';
  };
  const limitTo = (limit: number) => ({
    config: { limit: { per: 'address' as const, rates: [{ limit, windowMs: 60_000 }] } },
  });
  const addRoutes = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url }) => {
      // Only the instance of the product has this route.
      if (method !== 'GET' || url !== '/healthz') return;
      fastify.get(COSTLY_ROUTE, work);
      fastify.get(COSTLY_ROUTE_WITH_LOW_LIMIT, limitTo(10), work);
      fastify.get(COSTLY_ROUTE_WITH_HIGH_LIMIT, limitTo((2 * MAX_UNITS_PER_MINUTE) / COSTLY_UNITS), work);
    });
  };
  subscribe('fastify.initialization', addRoutes);
  t.onTestFinished(() => {
    unsubscribe('fastify.initialization', addRoutes);
  });
}

/** Returns the GET routes that the product serves itself, with the limits of the default settings. */
async function listReads(): Promise<RouteEntry[]> {
  const { service, routes } = await startServiceWithRoutes({
    API_RATE_LIMIT: '',
    DEMO_ACCESS_RATE_LIMIT: '',
    REFERRAL_RATE_LIMITS: '',
    TOKEN_COUNT_RATE_LIMITS: '',
  });
  await service.stop();
  return routes.filter(
    ({ method, url }) => method === 'GET' && !url.startsWith('/assets/') && findHolder(url) === undefined,
  );
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
        for (let done = 0; done < REQUESTS; done += 1) runUnit();
      })) / REQUESTS,
    );
  return median(times);
}

/** Sends batches of requests. Returns the statuses and the processor time of one in ms, undefined if one failed. */
async function measureRequest(sendBatch: () => Promise<number[]>) {
  const times: number[] = [];
  const seen = new Set<number>();
  // The first batch fills caches.
  for (let batch = 0; batch <= BATCHES; batch += 1) {
    let statuses: number[] = [];
    const time = await measureProcessorTime(async () => {
      statuses = await sendBatch();
    });
    for (const status of statuses) seen.add(status);
    if (!statuses.every((status) => status < 400)) break;
    if (batch > 0) times.push(time / REQUESTS);
  }
  return { statuses: [...seen], milliseconds: times.length > 0 ? median(times) : undefined };
}

/** Returns the most requests that a caller may send in a minute, or undefined without a limit. */
function getRequestsPerMinute({ limit }: RouteEntry): number | undefined {
  const rates = limit?.rates.filter((rate) => rate !== undefined) ?? [];
  if (rates.length === 0) return undefined;
  return Math.min(...rates.map(({ limit: requests, windowMs }) => requests * Math.max(1, 60_000 / windowMs)));
}

interface Cost {
  read: RouteEntry;
  caller: string;
  milliseconds: number;
}

/** Measures each route as a visitor and as a signed-in caller. Also returns the routes that no request reached. */
async function measureReads(t: TestContext, reads: readonly RouteEntry[]) {
  const every = await startServiceWithRoutes();
  t.onTestFinished(() => every.service.stop());
  const send = await startRequestProcess(t);
  const paths: Readonly<Record<string, string>> = {
    ...(await createRowPaths(every)),
    ...(await createMemberPaths(every)),
  };
  const costs: Cost[] = [];
  const notCalled: string[] = [];
  for (const read of reads) {
    const url = `${every.service.url}${paths[read.url] ?? fillExample(read)}`;
    const seen: number[] = [];
    for (const [caller, headers] of [
      ['visitor', {}],
      ['signed-in', await every.getCredentials(read)],
    ] as const) {
      if (caller === 'signed-in' && Object.keys(headers).length === 0) continue;
      const { statuses, milliseconds } = await measureRequest(() => send({ url, headers, count: REQUESTS }));
      seen.push(...statuses);
      if (milliseconds !== undefined) costs.push({ read, caller, milliseconds });
    }
    // A route that used up its limit is called as often as anybody may.
    const isLimited = getRequestsPerMinute(read) !== undefined;
    if (!seen.some((status) => status < 400 || (status === 429 && isLimited))) notCalled.push(read.url);
  }
  return { costs, notCalled };
}

test('limits every GET route by the processor time that it takes', async (t) => {
  addCostlyRoutes(t);
  const reads = await listReads();
  for (const url of ['/', '/docs', '/metrics', '/api/plans', '/api/watchlist', '/_idp/v1/me', '/v1/models'])
    assert.ok(
      reads.some((read) => read.url === url),
      url,
    );
  const unitBefore = await measureUnit();
  const { costs, notCalled } = await measureReads(t, reads);
  const unit = Math.max(unitBefore, await measureUnit());

  const measured = costs.map(({ read, caller, milliseconds }) => {
    const units = milliseconds / unit;
    const requests = getRequestsPerMinute(read);
    // The part of what the route may take.
    const part = requests === undefined ? units / MAX_UNITS : (units * requests) / MAX_UNITS_PER_MINUTE;
    const text = `${part.toFixed(2)}: ${read.url} (${caller}), ${units.toFixed(2)} units, ${requests ?? 'any number'} a minute`;
    return { url: read.url, part, text };
  });
  const sorted = measured.toSorted((a, b) => b.part - a.part);
  console.log([`A unit takes ${unit.toFixed(2)} ms.`, ...sorted.slice(0, 20).map(({ text }) => text)].join('\n'));
  assert.deepEqual(notCalled.sort(), Object.keys(NOT_CALLED).sort(), 'give the route a path, or a reason');
  assert.deepEqual(
    [...new Set(sorted.filter(({ part }) => part > 1).map(({ url }) => url))].sort(),
    [COSTLY_ROUTE, COSTLY_ROUTE_WITH_HIGH_LIMIT],
    'limit the route, or cache its response',
  );
});
