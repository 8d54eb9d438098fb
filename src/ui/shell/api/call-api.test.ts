// @module-tag alone
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { type Fault, faults } from '../../../../test/support/faults.ts';
import { startStubService } from '../../../../test/support/stub-service.ts';
import { callApi } from './api.ts';
import type { ApiError } from '../../kit/api-error.ts';
import { session } from '../session/session.ts';

// Runs in a separate process, because the test replaces globals with browser stubs.

interface Call {
  /** Request that the service receives. */
  endpoint: `${string} ${string}`;
  body?: object;
  send: () => Promise<unknown>;
}

const symbol = { symbol: 'AAPL' };
const order = { ids: ['a', 'b'] };
const changes = { name: 'Savings' };
const params = { id: 'a/b' };
const calls: readonly Call[] = [
  { endpoint: 'GET /api/plans', send: () => callApi('GET /api/plans') },
  { endpoint: 'POST /api/watchlist', body: symbol, send: () => callApi('POST /api/watchlist', { body: symbol }) },
  {
    endpoint: 'PUT /api/watchlist/order',
    body: order,
    send: () => callApi('PUT /api/watchlist/order', { body: order }),
  },
  {
    endpoint: 'PATCH /api/accounts/a%2Fb',
    body: changes,
    send: () => callApi('PATCH /api/accounts/{id}', { params, body: changes }),
  },
  { endpoint: 'DELETE /api/accounts/a%2Fb', send: () => callApi('DELETE /api/accounts/{id}', { params }) },
];

for (const { endpoint, body, send } of calls) {
  const method = endpoint.split(' ')[0];

  for (const [fault, message] of Object.entries(faults) as [Fault, string][]) {
    test(`${method}: reports the error and completes the next call when a service ${fault}`, async () => {
      const service = await startStubService(() => ({ fine: true }));
      service.fault = fault;
      await assert.rejects(send(), (error: ApiError) => error.message.startsWith(message));
      service.fault = null;
      assert.deepEqual(await send(), { fine: true });
      assert.deepEqual(service.requests, [endpoint, endpoint]);
    });
  }

  test(`${method}: waits for reauthentication when the session has ended`, async () => {
    const taken: unknown[] = [];
    const service = await startStubService((_call, sent) => taken.push(sent) && { fine: true });
    service.endSession();
    const answer = send();
    await eventually(() => session.state.get().status === 'expired');
    assert.deepEqual(taken, []);
    await service.signIn();
    assert.deepEqual(await answer, { fine: true });
    assert.deepEqual(taken, [body]);
  });
}
