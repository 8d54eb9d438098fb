// @module-tag alone
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { eventually } from '../../../../../test/support/eventually.ts';
import { type Fault, faults } from '../../../../../test/support/faults.ts';
import { renderHook } from '../../../../../test/support/render-hook.ts';
import { startStubService } from '../../../../../test/support/stub-service.ts';
import { session } from '../../../../ui/shell/session/session.ts';
import { useSecuritySearch } from '../../../search/ui/shared/use-security-search.ts';
import { downloadFile } from '../../../../ui/shell/api/download-file.ts';

// Runs in a separate process, because the test replaces globals with browser stubs.

const reads = [
  {
    name: 'the search',
    endpoint: 'GET /api/investments/search?q=MSFT&limit=20',
    response: { groups: ['MSFT'] },
    useRead() {
      const { groups, error, retry } = useSecuritySearch('MSFT');
      return { found: groups[0] as unknown, error, again: retry };
    },
  },
] as const;

for (const { name, endpoint, response, useRead } of reads) {
  for (const [fault, message] of Object.entries(faults) as [Fault, string][]) {
    test(`${name}: reports the error and can retry when the service ${fault}`, async (t) => {
      const service = await startStubService(() => response);
      service.fault = fault;
      const hook = await renderHook(t, useRead);
      await eventually(() => hook.current.error !== null);
      assert.ok(hook.current.error!.message.startsWith(message), hook.current.error!.message);
      service.fault = null;
      hook.current.again();
      await eventually(() => hook.current.found === 'MSFT');
      assert.deepEqual(service.requests, [endpoint, endpoint]);
    });
  }

  test(`${name}: waits for reauthentication when the session has ended`, async (t) => {
    const service = await startStubService(() => response);
    service.endSession();
    const hook = await renderHook(t, useRead);
    await eventually(() => session.state.get().status === 'expired');
    assert.deepEqual([hook.current.found, hook.current.error], [undefined, null]);
    await service.signIn();
    await eventually(() => hook.current.found === 'MSFT');
  });
}

for (const [fault, message] of Object.entries(faults) as [Fault, string][])
  test(`export: reports the error when the service ${fault}`, async () => {
    const service = await startStubService(() => undefined);
    service.fault = fault;
    await assert.rejects(downloadFile('GET /api/watchlist/export.csv'), (error: Error) =>
      error.message.startsWith(message),
    );
    assert.deepEqual(service.requests, ['GET /api/watchlist/export.csv']);
  });
