import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { connectDatabase } from '../database/connect.ts';
import { createLogger } from '../http/logger.ts';
import { flagsCommand } from './cli.ts';
import { createFeatureFlags } from './feature-flags.ts';
import { getRolloutBucket } from './flag-source.ts';
import { upsertFlag, upsertFlagMember } from './queries.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await db.owner(`insert into public.all_users (idp_id) values ('user_a'), ('user_b')`);
});
afterAll(() => db.drop());
const logger = createLogger('silent');
const fresh = () => createFeatureFlags({ sql: db.database.service, logger, ttlMs: 0 });

describe('a flag', () => {
  test('is off when unknown', async () => {
    assert.equal(await fresh().isOn('unknown-flag', 'user_a'), false);
  });

  test('is on for its share of members and stays on when the share grows', async () => {
    const members = Array.from({ length: 2_000 }, (_, i) => `user_${i}`);
    const counts = [10, 50, 90].map(
      (percent) => members.filter((member) => getRolloutBucket('rollout', member) < percent).length,
    );
    for (const [i, percent] of [10, 50, 90].entries())
      assert.ok(Math.abs(counts[i]! / 20 - percent) < 4, `${counts[i]} of 2000 at ${percent} %`);
    assert.notDeepEqual(
      members.map((member) => getRolloutBucket('rollout', member)),
      members.map((member) => getRolloutBucket('another', member)),
    );
    const flags = fresh();
    const bucket = getRolloutBucket('rollout', 'user_a');
    for (const percent of [0, bucket, bucket + 1, 100]) {
      await upsertFlag(db.database.service, 'rollout', percent);
      assert.equal(await flags.isOn('rollout', 'user_a'), bucket < percent, `${percent} %`);
    }
  });

  test('applies the setting of a single member before the share', async () => {
    const flags = fresh();
    await upsertFlagMember(db.database.service, 'single', 'user_a', true);
    assert.deepEqual([await flags.isOn('single', 'user_a'), await flags.isOn('single', 'user_b')], [true, false]);
    await upsertFlag(db.database.service, 'single', 100);
    await upsertFlagMember(db.database.service, 'single', 'user_a', false);
    assert.deepEqual([await flags.isOn('single', 'user_a'), await flags.isOn('single', 'user_b')], [false, true]);
  });

  test('keeps its last value when the store is unavailable and is off without one', async () => {
    const unreachableDatabase = connectDatabase(db.urls);
    const flags = createFeatureFlags({ sql: unreachableDatabase.service, logger, ttlMs: 0 });
    await upsertFlag(db.database.service, 'kept', 100);
    assert.equal(await flags.isOn('kept', 'user_a'), true);
    await unreachableDatabase.close();
    assert.deepEqual([await flags.isOn('kept', 'user_a'), await flags.isOn('kept', 'user_b')], [true, false]);
  });

  test('prefers PostHog to the database and keeps the last value when it is unavailable', async (t) => {
    let isUnavailable = false;
    const named: string[] = [];
    const server = createServer(async (request, response) => {
      named.push(((await json(request)) as { distinct_id: string }).distinct_id);
      response.writeHead(isUnavailable ? 503 : 200).end('{"flags":{"theirs":{"enabled":true}}}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.onTestFinished(() => {
      server.close();
    });
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const service = { host, apiKey: 'phc_test' };
    const mayIdentify = async (member: string) => member !== 'user_declined';
    const flags = createFeatureFlags({ sql: db.database.service, logger, service, mayIdentify, ttlMs: 0 });
    await upsertFlag(db.database.service, 'theirs', 0);
    await upsertFlag(db.database.service, 'ours', 100);
    assert.deepEqual([await flags.isOn('theirs', 'user_a'), await flags.isOn('ours', 'user_a')], [true, true]);
    isUnavailable = true;
    assert.deepEqual([await flags.isOn('theirs', 'user_a'), await flags.isOn('theirs', 'user_b')], [true, false]);
    isUnavailable = false;
    assert.deepEqual(
      [await flags.isOn('theirs', 'user_declined'), await flags.isOn('ours', 'user_declined')],
      [false, true],
      'a member who declined has the flags of the database',
    );
    assert.ok(named.length > 0 && !named.includes('user_declined'), 'and is not named');
  });

  test('is fetched once in five seconds when many callers read it', async () => {
    let clock = 0;
    let requestCount = 0;
    const sql = {
      ...db.database.service,
      query: <Row extends object>(...args: [string, (readonly unknown[])?]) => {
        requestCount += 1;
        return db.database.service.query<Row>(...args);
      },
    };
    const flags = createFeatureFlags({ sql, logger, now: () => clock });
    await upsertFlag(db.database.service, 'remembered', 100);
    assert.deepEqual(
      await Promise.all(Array.from({ length: 20 }, () => flags.isOn('remembered', 'user_a'))),
      Array(20).fill(true),
    );
    assert.equal(requestCount, 1);
    await upsertFlag(db.database.service, 'remembered', 0);
    clock = 4_999;
    assert.equal(await flags.isOn('remembered', 'user_a'), true);
    clock = 5_000;
    assert.equal(await flags.isOn('remembered', 'user_a'), false);
    assert.equal(requestCount, 2);
  });

  test('needs no statement when a member is evaluated for the first time', async () => {
    let requestCount = 0;
    const query = (...args: Parameters<typeof db.database.service.query>) => {
      requestCount += 1;
      return db.database.service.query(...args);
    };
    const flags = createFeatureFlags({ sql: { ...db.database.service, query } as never, logger, now: () => 0 });
    await upsertFlag(db.database.service, 'many', 50);
    for (let i = 0; i < 100; i += 1)
      assert.equal(await flags.isOn('many', `user_${i}`), getRolloutBucket('many', `user_${i}`) < 50);
    assert.equal(requestCount, 1);
  });

  test('is looked up per member when it has more settings than the cache holds', { tags: ['slow'] }, async () => {
    await db.owner(`insert into public.all_users (idp_id) select 'user_m' || n from generate_series(1, 10001) n`);
    await upsertFlag(db.database.service, 'settings', 0);
    await db.owner(`insert into public.feature_flag_members (flag, idp_id, enabled)
      select 'settings', 'user_m' || n, n % 2 = 0 from generate_series(1, 10001) n`);
    const flags = fresh();
    const on = await Promise.all(['user_m1', 'user_m2', 'user_a'].map((member) => flags.isOn('settings', member)));
    await db.owner(`delete from public.all_users where idp_id like 'user_m%'`);
    assert.deepEqual(on, [false, true, false]);
  });

  test('is cached for a bounded number of members with the oldest evicted', async () => {
    let at = 0;
    const flags = createFeatureFlags({ sql: db.database.service, logger, maxEntries: 100, now: () => at });
    await upsertFlag(db.database.service, 'bounded', 100);
    for (let i = 0; i <= 100; i += 1) await flags.isOn('bounded', `user_${i}`);
    at = 5_000;
    await db.owner('alter table public.feature_flags rename to flags_away');
    const on = await Promise.all(['user_100', 'user_1', 'user_0'].map((member) => flags.isOn('bounded', member)));
    await db.owner('alter table public.flags_away rename to feature_flags');
    assert.deepEqual(on, [true, true, false], 'the oldest cached value is evicted');
  });

  test('is on for every member of a new installation if it is the watchlist', async () => {
    const flags = fresh();
    assert.equal(await flags.isOn('dashboard-watchlist-v01', 'user_a'), true);
    await upsertFlag(db.database.service, 'dashboard-watchlist-v01', 0);
    assert.equal(await flags.isOn('dashboard-watchlist-v01', 'user_a'), false);
  });
});

describe('tally flags', () => {
  const run = async (...argv: string[]): Promise<{ code: number; out: string; err: string }> => {
    const io = {
      output: '',
      error: '',
      out: (text: string) => {
        io.output += text;
      },
      err: (text: string) => {
        io.error += text;
      },
    };
    const code = await flagsCommand((work) => work(db.database)).run(argv, io);
    return { code, out: io.output, err: io.error };
  };

  test('sets and lists shares and members', async () => {
    assert.deepEqual(await run('set', 'new-card', '--percent', '25'), {
      code: 0,
      out: 'new-card is on for 25 % of members.\n',
      err: '',
    });
    assert.equal((await run('set', 'new-card', '--member', 'user_a', '--on')).code, 0);
    assert.equal((await run('set', 'new-card', '--member', 'user_b', '--off')).code, 0);
    assert.match((await run('list')).out, /^new-card {2}25 %; on for user_a; off for user_b$/m);
    const listed = JSON.parse((await run('list', '--json')).out).find(
      ({ flag }: { flag: string }) => flag === 'new-card',
    );
    assert.deepEqual([listed.percentage, listed.on_for, listed.off_for], [25, ['user_a'], ['user_b']]);
    assert.equal((await run('set', 'new-card', '--member', 'user_a', '--clear')).code, 0);
    assert.match((await run('list')).out, /^new-card {2}25 %; off for user_b$/m);
  });

  test('deletes a flag once with its settings for members', async () => {
    await run('set', 'old-card', '--percent', '100');
    await run('set', 'old-card', '--member', 'user_a', '--on');
    assert.deepEqual(await run('delete', 'old-card'), {
      code: 0,
      out: 'old-card is deleted and off for all members.\n',
      err: '',
    });
    assert.doesNotMatch((await run('list')).out, /old-card/);
    assert.deepEqual(await run('delete', 'old-card'), {
      code: 1,
      out: '',
      err: 'tally flags: there is no flag old-card.\n',
    });
  });

  test('rejects impossible changes and explains usage errors', async () => {
    assert.deepEqual(
      [
        (await run('set', 'new-card', '--member', 'user_z', '--on')).code,
        (await run('set', 'never-set', '--member', 'user_a', '--clear')).code,
      ],
      [1, 1],
    );
    for (const argv of [
      [],
      ['remove'],
      ['delete'],
      ['delete', 'x', 'y'],
      ['set'],
      ['set', 'x'],
      ['set', 'X!', '--percent', '5'],
      ['set', 'x', '--percent', '101'],
      ['set', 'x', '--percent', '5', '--on'],
      ['set', 'x', '--member', 'user_a', '--on', '--off'],
      ['list', 'x'],
      ['set', 'x', '--bogus'],
    ]) {
      const { code, err } = await run(...argv);
      assert.equal(code, 2, argv.join(' '));
      assert.match(err, /^tally flags: .*--help\.\n$/);
    }
  });
});
