import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import type { Fault } from '../../../test/support/faults.ts';
import { faults } from '../../../test/support/faults.ts';
import { serveStub } from '../../../test/support/stub-service.ts';
import { callApi } from './api.ts';
import type { ApiCall, ApiError } from './call-api.ts';
import { session } from './session.ts';

const calls: readonly ApiCall[] = [
  { method: 'GET', path: '/api/things' },
  { method: 'POST', path: '/api/things', body: { typed: 'text' } },
  { method: 'PUT', path: '/api/things/order', body: { ids: ['a', 'b'] } },
  { method: 'PATCH', path: '/api/things/a', body: { typed: 'text' } },
  { method: 'DELETE', path: '/api/things/a' },
];

for (const call of calls) {
  const wire = `${call.method} ${call.path}`;

  for (const [fault, words] of Object.entries(faults) as [Fault, string][]) {
    test(`${call.method}: a service that ${fault} is told in words, and the next call is answered`, async (t) => {
      const service = await serveStub(t, () => ({ fine: true }));
      service.fault = fault;
      await assert.rejects(callApi(call), (error: ApiError) => error.message.startsWith(words));
      service.fault = null;
      assert.deepEqual(await callApi(call), { fine: true });
      assert.deepEqual(service.sent, [wire, wire]);
    });
  }

  test(`${call.method}: a session that has ended keeps the call until the member is back, and nothing of it is lost`, async (t) => {
    const taken: unknown[] = [];
    const service = await serveStub(t, (_call, body) => taken.push(body) && { fine: true });
    service.endSession();
    const answer = callApi(call);
    await eventually(() => session.state.get().status === 'expired');
    assert.deepEqual(taken, []);
    await service.signIn();
    assert.deepEqual(await answer, { fine: true });
    assert.deepEqual(taken, [call.body]);
  });
}
