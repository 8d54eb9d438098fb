import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { test } from 'vitest';
import { CLIENT_LEFT } from './answer.ts';
import { BodyBudget } from './body-budget.ts';
import { readBody } from './read-body.ts';

test('answers 499 when the client left before or while its body is read', async () => {
  const request = (): IncomingMessage => Object.assign(new PassThrough(), { headers: {} }) as never;
  const read = (from: IncomingMessage) =>
    readBody(from, { account: new BodyBudget(100).open('a'), maxBytes: 100, onLarge: () => {} });
  const left = request();
  left.destroy();
  await once(left, 'close');
  assert.equal(await read(left), CLIENT_LEFT);
  const leaving = request();
  const reading = read(leaving);
  leaving.destroy();
  assert.equal(await reading, CLIENT_LEFT);
});
