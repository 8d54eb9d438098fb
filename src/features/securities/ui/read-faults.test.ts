// @module-tag alone
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { type Fault, faults } from '../../../../test/support/faults.ts';
import { renderHook } from '../../../../test/support/render-hook.ts';
import { startStubService } from '../../../../test/support/stub-service.ts';
import { session } from '../../../ui/shell/session/session.ts';
import { useSecurity } from './security-query.ts';

// Runs in a separate process, because the test replaces globals with browser stubs.

const ENDPOINT = 'GET /api/securities/MSFT';
const response = { symbol: 'MSFT', asset_type: 'bond', locked: false, price: 98, pending: [], unavailable: [] };
const useMicrosoft = () => useSecurity('MSFT');

for (const [fault, message] of Object.entries(faults) as [Fault, string][])
  test(`reports the error of a security and can retry when the service ${fault}`, async (t) => {
    const service = await startStubService(() => response);
    service.fault = fault;
    const hook = await renderHook(t, useMicrosoft);
    await eventually(() => hook.current.error !== null);
    assert.ok(hook.current.error!.message.startsWith(message), hook.current.error!.message);
    service.fault = null;
    void hook.current.refetch();
    await eventually(() => hook.current.data?.symbol === 'MSFT');
    assert.deepEqual(service.requests, [ENDPOINT, ENDPOINT]);
  });

test('waits for reauthentication when the session has ended', async (t) => {
  const service = await startStubService(() => response);
  service.endSession();
  const hook = await renderHook(t, useMicrosoft);
  await eventually(() => session.state.get().status === 'expired');
  assert.deepEqual([hook.current.data, hook.current.error], [undefined, null]);
  await service.signIn();
  await eventually(() => hook.current.data?.symbol === 'MSFT');
});
