import assert from 'node:assert/strict';
import { text as readText } from 'node:stream/consumers';
import { test } from 'vitest';
import { createEventStream, MAX_UNREAD_BYTES } from './event-stream.ts';

const EVENT_BYTES = 10_000;
const EVENTS = Math.ceil((4 * MAX_UNREAD_BYTES) / EVENT_BYTES);
const event = { type: 'text', text: 'a'.repeat(EVENT_BYTES) } as const;

test('ends a stream when its client does not read', () => {
  const { body, send } = createEventStream();
  let maxWaiting = 0;
  for (let sent = 0; sent < EVENTS; sent += 1) {
    send(event);
    maxWaiting = Math.max(maxWaiting, body.readableLength + body.writableLength);
  }
  assert.equal(body.destroyed, true);
  assert.ok(maxWaiting < MAX_UNREAD_BYTES + 2 * EVENT_BYTES, `${maxWaiting} bytes`);
});

test('sends every event of a long answer when its client reads', async () => {
  const { body, send } = createEventStream();
  const read = readText(body);
  for (let sent = 0; sent < EVENTS; sent += 1) {
    send(event);
    if (sent % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  send({ type: 'done', reason: 'complete' } as never);
  assert.equal((await read).match(/^event: text$/gm)?.length, EVENTS);
});
