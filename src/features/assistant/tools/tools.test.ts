import assert from 'node:assert/strict';
import { test } from 'vitest';
import { asker, sourcesOf } from '../../../../test/support/known-member.ts';
import { Failure } from '../../../errors.ts';
import { bindTools } from './tool-context.ts';
import { runTool, tools } from './tools.ts';

const context = bindTools(sourcesOf())(asker);
const rowsOf = async (name: string, input: unknown, own = context) => {
  const outcome = await runTool(own, name, input);
  assert.ok(outcome.ok, JSON.stringify(outcome));
  return outcome.result.rows;
};

test('every tool answers with as many cells as columns', async () => {
  for (const tool of tools.filter(({ name }) => name !== 'run_sql')) {
    const outcome = await runTool(context, tool.name, 'symbol' in tool.inputSchema.shape ? { symbol: 'aapl' } : {});
    assert.ok(outcome.ok, tool.name);
    const { columns, rows } = outcome.result;
    assert.ok(rows.length > 0, tool.name);
    for (const row of rows) assert.equal(row.length, columns.length, tool.name);
  }
});

test('no tool is named as one that writes, and each takes only what its schema says', async () => {
  for (const tool of tools) {
    assert.match(tool.name, /^[a-z_]{1,64}$/);
    assert.doesNotMatch(tool.name, /add|create|update|delete|remove|send|buy|sell|order|write/);
    const outcome = await runTool(context, tool.name, { symbol: 'AAPL', sql: 'select 1', idp_id: 'user_bob' });
    assert.ok(!outcome.ok && /The input is not valid/.test(outcome.message), tool.name);
  }
});

test('an unknown tool and a wrong input are refused with what there is', async () => {
  const unknown = await runTool(context, 'send_email', {});
  assert.ok(!unknown.ok && /There is no tool send_email. There are: run_sql, my_position/.test(unknown.message));
  const wrong = await runTool(context, 'my_position', { symbol: 7 });
  assert.ok(!wrong.ok && /symbol: /.test(wrong.message));
});

test('a locked row names its symbol alone', async () => {
  const locked = (await rowsOf('watchlist_today', {})).find(([symbol]) => symbol === 'TSLA')!;
  assert.deepEqual(
    locked.filter((cell) => cell !== null),
    ['TSLA', true],
  );
  const why = await runTool(context, 'why_moving', { symbol: 'TSLA' });
  assert.ok(!why.ok && /neither held nor among the rows/.test(why.message));
});

test('during the demo tour the list is empty, and outside the rollout there is none', async () => {
  assert.deepEqual(await rowsOf('watchlist_today', {}, bindTools(sourcesOf())(asker, { demoTour: true })), []);
  const outside = bindTools(
    sourcesOf({ watchlist: { isWatchlistOn: async () => false, listOf: () => assert.fail('asked') } }),
  )(asker);
  assert.deepEqual(await runTool(outside, 'watchlist_today', {}), {
    ok: false,
    message: 'The member has no watchlist.',
  });
});

test('what is away is said, and a fault of ours is thrown', async () => {
  const away = bindTools(
    sourcesOf({
      portfolios: {
        portfolioOf: async () => {
          throw new Failure('UNAVAILABLE');
        },
      },
    }),
  )(asker);
  const outcome = await runTool(away, 'my_position', { symbol: 'AAPL' });
  assert.ok(!outcome.ok && /not available right now/.test(outcome.message));
  const broken = bindTools(sourcesOf({ portfolios: { portfolioOf: () => Promise.reject(new TypeError('x')) } }))(asker);
  await assert.rejects(runTool(broken, 'my_position', { symbol: 'AAPL' }), TypeError);
});

test('links of a result are those of its articles', async () => {
  const outcome = await runTool(context, 'news', { symbol: 'AAPL' });
  assert.ok(outcome.ok);
  assert.deepEqual(
    outcome.result.links.map(({ url }) => url),
    ['https://news.example.com/apple-outlook'],
  );
});
