// @module-tag slow
// @module-tag alone
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { startModelApi } from '../fakes/model-api.ts';
import { startCitusForTest } from '../support/citus.ts';
import { recordRoutes } from '../support/record-routes.ts';
import { startService } from '../support/service.ts';
import { LOG_FILE_SETTINGS, type StatementTasks, TaskLog } from './citus/statement-tasks.ts';
import { walkMemberRoutes } from './citus/walk-member-routes.ts';

/** Routes of members that the walk leaves out, with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'POST /api/assistant/sql': 'is off on a cluster',
  'POST /api/demo-access/complete': 'signs in as the demo account',
};

/** Statements that may ask every shard: they name no member, or find the member. With the reason. */
const MAY_ASK_ALL: readonly [RegExp, string][] = [
  [/market\.symbols_in_use/, 'jobs of market data update each watched or held symbol'],
  [/^with held as materialized \(select distinct h\.symbol/, 'a job reads the reports of each held company'],
  [/^\(select s\.sealed from public\.connection_secrets s limit/, 'the start checks the key of stored credentials'],
  [
    /^with plan as .* jsonb_to_recordset|^with days as .* members_without_history/s,
    'the first run seeds several members',
  ],
  [/from public\.connection_attempts a where a\.reference_hash = \$1/, 'a webhook finds its member'],
  [/from public\.brokerage_users u where u\.external_id::text = \$1/, 'a webhook finds its member'],
  [/from public\.connections c where c\.provider = \$1 and c\.external_id = \$2/, 'a webhook finds its member'],
  [/where c\.id = \$1$/, 'the job of a connection finds its member'],
];

test('asks one shard of each table in every statement of a member', async (t) => {
  const citus = await startCitusForTest(t, { settings: LOG_FILE_SETTINGS });
  const model = await startModelApi();
  t.onTestFinished(() => model.close());
  const { started: service, routes } = await recordRoutes(() =>
    startService({
      SANDBOX: 'on',
      WORKER: 'off',
      API_RATE_LIMIT: '9999',
      // A read that names a table of the coordinator fails on a worker.
      DB_READ_NODES: citus.cluster.workers!.map((url) => new URL(url).host).join(','),
      ANTHROPIC_API_KEY: 'sk-test-key',
      ANTHROPIC_BASE_URL: model.url,
    }),
  );
  t.onTestFinished(() => service.stop());
  const log = new TaskLog(citus, service.database);
  await log.start();
  const byRoute = new Map<string, StatementTasks[]>();
  await walkMemberRoutes(service, async (route) => {
    byRoute.set(route, [...(byRoute.get(route) ?? []), ...(await log.readNew())]);
  });
  printTasks(byRoute);
  const unvisited = routes
    .filter(({ method, url, config }) => {
      const access = config?.definition?.access ?? 'member';
      return method !== 'HEAD' && config?.definition && /^\/api\//.test(url) && access === 'member';
    })
    .map(({ method, url }) => `${[method].flat()[0]} ${url}`)
    .filter((route) => !byRoute.has(route) && !(route in LEFT_OUT));
  assert.deepEqual(unvisited, [], 'routes of members that the walk does not visit');
  const spread = [...byRoute].flatMap(([route, statements]) =>
    statements
      .filter(({ shards, text }) => shards > 1 && !MAY_ASK_ALL.some(([pattern]) => pattern.test(text.trim())))
      .map(({ text, spreadTables }) => `${route}: ${spreadTables.join(', ')}: ${text.replaceAll(/\s+/g, ' ')}`),
  );
  assert.deepEqual([...new Set(spread)], [], 'statements that ask several shards');
});

/** Prints statements, tasks and the most servers of one statement of each route. */
function printTasks(byRoute: ReadonlyMap<string, readonly StatementTasks[]>): void {
  const rows = [...byRoute].map(([route, statements]) => {
    const asking = statements.filter(({ tasks }) => tasks > 0);
    const max = (values: number[]) => Math.max(0, ...values);
    return {
      route,
      statements: statements.length,
      'with members’ rows': asking.length,
      tasks: asking.reduce((sum, { tasks }) => sum + tasks, 0),
      'most tasks': max(asking.map(({ tasks }) => tasks)),
      'most servers': max(asking.map(({ servers }) => servers)),
      'spread statements': asking.filter(({ shards }) => shards > 1).length,
    };
  });
  console.table(rows);
}
