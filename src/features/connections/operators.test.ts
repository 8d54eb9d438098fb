import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import {
  connect,
  connectBrokerage,
  type ConnectionsApp,
  startConnectionsApp,
} from '../../../test/support/connections-app.ts';
import { connectionsCommand } from './cli.ts';

let app: ConnectionsApp;
beforeAll(async () => {
  app = await startConnectionsApp();
});
afterAll(() => app.close());

async function tally(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const output = { out: '', err: '' };
  const io = {
    out: (text: string) => {
      output.out += text;
    },
    err: (text: string) => {
      output.err += text;
    },
  };
  return { code: await connectionsCommand((work) => work(app.connections)).run(argv, io), ...output };
}

/** Returns the metrics of connections by name, without their help. */
async function metrics(): Promise<Record<string, number>> {
  const lines = (await app.registry.metrics()).split('\n').filter((line) => line && !line.startsWith('#'));
  return Object.fromEntries(lines.map((line) => [line.split(' ')[0]!, Number(line.split(' ')[1])]));
}

test('lists each connection with its state but not its member, oldest sync first', async () => {
  assert.deepEqual(await tally('list'), { code: 0, out: 'There are no connections.\n', err: '' });
  const a = await connect(app, 'user_a');
  const b = await connect(app, 'user_b');
  await app.owner(`update public.connections set synced_at = now() - interval '3 days', status = 'login_required'
    where idp_id = 'user_b'`);
  const { code, out } = await tally('list');
  assert.equal(code, 0);
  const [header, first, second] = out.split('\n') as [string, string, string];
  assert.match(header, /^id +kind +aggregator +status +accounts +connected +read$/);
  assert.match(first, new RegExp(`^${b.id} +bank +plaid +login_required +3 `));
  assert.match(second, new RegExp(`^${a.id} +bank +plaid +active +3 `));
  assert.doesNotMatch(out, /user_[ab]|Sandbox/);
  const rows = JSON.parse((await tally('list', '--json')).out) as Record<string, unknown>[];
  assert.deepEqual(
    rows.map(({ id }) => id),
    [b.id, a.id],
  );
  assert.deepEqual(Object.keys(rows[0]!).sort(), [
    'accounts',
    'connected_at',
    'id',
    'kind',
    'provider',
    'status',
    'synced_at',
  ]);
});

test('counts connections that are stale or need a sign-in, and pending removals', async () => {
  assert.deepEqual(await metrics(), {
    tally_connections: 2,
    tally_connections_stale: 1,
    tally_connections_needing_sign_in: 1,
    tally_connection_removals_pending: 0,
  });
  const [{ id }] = (await app.call('GET', '/api/connections', 'user_b')).body.connections;
  await app.call('DELETE', `/api/connections/${id}`, 'user_b');
  assert.deepEqual(await metrics(), {
    tally_connections: 1,
    tally_connections_stale: 0,
    tally_connections_needing_sign_in: 0,
    tally_connection_removals_pending: 1,
  });
});

test('omits metrics that cannot be read', async () => {
  await app.owner('alter table public.connections rename to connections_away');
  try {
    assert.deepEqual(await metrics(), {});
    assert.match(app.readLog(), /connections could not be counted/);
  } finally {
    await app.owner('alter table public.connections_away rename to connections');
  }
});

test('encrypts everything with the current key and reports rows that no key decrypts', async () => {
  const done = { code: 0, out: '0 encrypted with the current key.\n', err: '' };
  assert.deepEqual(await tally('rotate-keys'), done, 'all of it is');
  await app.owner('update public.connection_secrets set sealed = set_byte(sealed, 1, 255 - get_byte(sealed, 1))');
  const result = await tally('rotate-keys');
  assert.deepEqual([result.code, result.out], [1, done.out]);
  assert.match(result.err, /^tally connections: 1 cannot be decrypted/);
  assert.match(app.readLog(), /no key decrypts this row/);
});

test('lists brokerages along with banks', async () => {
  await connectBrokerage(app, 'user_b');
  const rows = JSON.parse((await tally('list', '--json')).out) as { kind: string; provider: string }[];
  assert.deepEqual(rows.map(({ kind, provider }) => [kind, provider]).sort(), [
    ['bank', 'plaid'],
    ['brokerage', 'snaptrade'],
  ]);
});

test('prints the usage for an unknown command and changes nothing', async () => {
  for (const argv of [[], ['remove'], ['list', 'all'], ['list', '--csv'], ['rotate-keys', '--json']])
    assert.equal((await tally(...argv)).code, 2, argv.join(' '));
});
