import assert from 'node:assert/strict';
import { test } from 'vitest';
import { eventually } from '../../../../../test/support/eventually.ts';
import { type Fault, faults } from '../../../../../test/support/faults.ts';
import { runHook } from '../../../../../test/support/run-hook.ts';
import { serveStub } from '../../../../../test/support/stub-service.ts';
import { session } from '../../../../ui/shell/session/session.ts';
import { useSecuritySearch } from '../../../../ui/shell/market/use-security-search.ts';
import { exportList } from './export-list.ts';
import { useTicker } from '../panel/ticker-query.ts';

// Runs in a process of its own: what stands in for a browser's page are globals.

const reads = [
  {
    name: 'the detail of a ticker',
    wire: 'GET /api/watchlist/ticker/MSFT',
    answer: { symbol: 'MSFT', asset_type: 'bond' },
    use() {
      const { data, error, refetch } = useTicker('MSFT', false);
      return { found: data?.symbol, error, again: () => void refetch() };
    },
  },
  {
    name: 'the search',
    wire: 'GET /api/investments/search?q=MSFT&limit=20',
    answer: { groups: ['MSFT'] },
    use() {
      const { groups, error, retry } = useSecuritySearch('MSFT');
      return { found: groups[0] as unknown, error, again: retry };
    },
  },
] as const;

for (const { name, wire, answer, use } of reads) {
  for (const [fault, words] of Object.entries(faults) as [Fault, string][]) {
    test(`${name}: where the service ${fault} it is said, and the next try is answered`, async (t) => {
      const service = await serveStub(() => answer);
      service.fault = fault;
      const hook = await runHook(t, use);
      await eventually(() => hook.current.error !== null);
      assert.ok(hook.current.error!.message.startsWith(words), hook.current.error!.message);
      service.fault = null;
      hook.current.again();
      await eventually(() => hook.current.found === 'MSFT');
      assert.deepEqual(service.sent, [wire, wire]);
    });
  }

  test(`${name}: a session that has ended keeps it waiting until the member is back`, async (t) => {
    const service = await serveStub(() => answer);
    service.endSession();
    const hook = await runHook(t, use);
    await eventually(() => session.state.get().status === 'expired');
    assert.deepEqual([hook.current.found, hook.current.error], [undefined, null]);
    await service.signIn();
    await eventually(() => hook.current.found === 'MSFT');
  });
}

for (const [fault, words] of Object.entries(faults) as [Fault, string][])
  test(`the export: a service that ${fault} is told in words`, async () => {
    const service = await serveStub(() => undefined);
    service.fault = fault;
    await assert.rejects(exportList(), (error: Error) => error.message.startsWith(words));
    assert.deepEqual(service.sent, ['GET /api/watchlist/export.csv']);
  });
