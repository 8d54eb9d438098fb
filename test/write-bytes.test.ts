import assert from 'node:assert/strict';
import { test } from 'vitest';
import { DAY_LIMIT } from '../src/platform/analytics/queries.ts';
import { STORED } from '../tools/describe-writes.ts';
import type { TestDatabase } from './support/database.ts';
import { SITE } from './support/identity.ts';
import { signInMember } from './support/member-tables.ts';
import { startService } from './support/service.ts';

/** Returns the bytes of tables with their indexes and with long values. */
async function measure({ owner }: TestDatabase, tables: readonly string[]): Promise<number> {
  const sizes = await owner<{ bytes: number }>(
    'select pg_total_relation_size(name::regclass)::float8 as bytes from unnest($1::text[]) as name',
    [tables],
  );
  return sizes.reduce((sum, { bytes }) => sum + bytes, 0);
}

const ROUNDS = 100;

test(
  'stores no more of a change of the watchlist than documented when its event is counted',
  { tags: ['slow'] },
  async (t) => {
    const service = await startService({ WORKER: 'off', BASE_URL: SITE, API_RATE_LIMIT: '10000' });
    t.onTestFinished(() => service.stop());
    const { call } = await signInMember(service);
    for (let round = 0; round < 5; round += 1) await addAndRemove();
    const before = await measure(service.database, ['public.analytics_events']);
    for (let round = 0; round < ROUNDS; round += 1) await addAndRemove();
    const bytes = ((await measure(service.database, ['public.analytics_events'])) - before) / (2 * ROUNDS);
    assert.ok(bytes > 100 && bytes <= STORED['POST /api/watchlist']!.bytes, `${bytes} bytes`);

    async function addAndRemove(): Promise<void> {
      const added = await call('POST', '/api/watchlist', { symbol: 'AAPL' });
      assert.ok(added.status < 300, JSON.stringify(added.body));
      assert.ok((await call('DELETE', `/api/watchlist/${added.body.item.id}`)).status < 300);
    }
  },
);

test('stores no more of browser events than documented when the events are small', { tags: ['slow'] }, async (t) => {
  const service = await startService({ WORKER: 'off', BASE_URL: SITE, API_RATE_LIMIT: '10000' });
  t.onTestFinished(() => service.stop());
  const { call } = await signInMember(service);
  const properties = { feature: 'watchlist' };
  const events = Array.from({ length: 50 }, () => ({ event: 'watchlist_second_line_changed', properties }));
  const send = async () => assert.equal((await call('POST', '/api/analytics/events', { events })).status, 202);
  await send();
  const before = await measure(service.database, ['public.analytics_events']);
  const sizes = `select count(*)::int as count, sum(length(properties::text))::int as bytes from public.analytics_events`;
  const [first] = await service.database.owner<{ count: number; bytes: number }>(sizes);
  for (let round = 0; round < 20; round += 1) await send();
  const [last] = await service.database.owner<{ count: number; bytes: number }>(sizes);
  const added = (await measure(service.database, ['public.analytics_events'])) - before;
  const bytes = (added - (last!.bytes - first!.bytes)) / (last!.count - first!.count);
  const documented = (STORED['POST /api/analytics/events']!.bytes - DAY_LIMIT.bytes) / DAY_LIMIT.events;
  assert.ok(bytes > 100 && bytes <= documented, `${bytes} bytes in addition to the properties`);
});

test(
  'stores no more of a credential than documented when its name is as long as it may be',
  { tags: ['slow'] },
  async (t) => {
    const service = await startService({ WORKER: 'off', BASE_URL: SITE, API_RATE_LIMIT: '10000' });
    t.onTestFinished(() => service.stop());
    const { call } = await signInMember(service);
    // Three bytes are the most that a UTF-16 unit takes.
    const name = '国'.repeat(120);
    for (const [route, table, body] of [
      ['/api/api-keys', 'public.api_keys', { name }],
      ['/api/assistant/tokens', 'public.assistant_tokens', { name, scopes: ['reports', 'sql'] }],
    ] as const) {
      // The first pages of the table and its indexes are there before.
      for (let round = 0; round < 5; round += 1) await createAndRevoke();
      const before = await measure(service.database, [table]);
      for (let round = 0; round < ROUNDS; round += 1) await createAndRevoke();
      const bytes = ((await measure(service.database, [table])) - before) / ROUNDS;
      assert.ok(bytes > 300 && bytes <= STORED[`POST ${route}`]!.bytes, `${route}: ${bytes} bytes`);

      async function createAndRevoke(): Promise<void> {
        const created = await call('POST', route, body);
        assert.equal(created.status, 201, JSON.stringify(created.body));
        const { id } = Object.values<{ id?: string }>({ body: created.body, ...created.body }).find((part) => part.id)!;
        assert.equal((await call('DELETE', `${route}/${id}`)).status, 204);
      }
    }
  },
);
