import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { test } from 'vitest';
import { CLIENT_CLOSED } from './api-result.ts';
import { BodyMemoryBudget } from './body-memory-budget.ts';
import { readBody } from './read-body.ts';

test('returns 499 when the client disconnects before or during the read', async () => {
  const request = (): IncomingMessage => Object.assign(new PassThrough(), { headers: {} }) as never;
  const read = (from: IncomingMessage) =>
    readBody(from, { reservation: new BodyMemoryBudget(100).createReservation('a'), maxBytes: 100, onLarge: () => {} });
  const disconnected = request();
  disconnected.destroy();
  await once(disconnected, 'close');
  assert.equal(await read(disconnected), CLIENT_CLOSED);
  const disconnecting = request();
  const reading = read(disconnecting);
  disconnecting.destroy();
  assert.equal(await reading, CLIENT_CLOSED);
});
