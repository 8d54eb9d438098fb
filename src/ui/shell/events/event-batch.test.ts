import assert from 'node:assert/strict';
import { test } from 'vitest';
import { bisectBatch, MAX_BATCH_EVENTS, selectBatch } from './event-batch.ts';

const json = (id: number, characters = 0): string =>
  JSON.stringify({ id: String(id), occurred_at: '', event: 'e', properties: { text: 'x'.repeat(characters) } });

test('selects the oldest events that one call holds, at least one', () => {
  const small = [1, 2, 3].map((id) => [`key ${id}`, json(id)] as const);
  assert.deepEqual([...selectBatch(small, 2).events.keys()], ['key 1', 'key 2']);
  const large = [1, 2].map((id) => [`key ${id}`, json(id, 30_000)] as const);
  assert.deepEqual([...selectBatch(large, 2).events.keys()], ['key 1']);
});

test('reports invalid events instead of sending them', () => {
  const { events, invalid } = selectBatch(
    [
      ['broken', '{'],
      ['key', json(1)],
    ],
    MAX_BATCH_EVENTS,
  );
  assert.deepEqual([[...events.keys()], invalid], [['key'], ['broken']]);
});

test('isolates one rejected event by bisection and grows the batch afterwards', () => {
  const sent: number[][] = [];
  let maxEvents = MAX_BATCH_EVENTS;
  let waiting = Array.from({ length: 40 }, (_, id) => id);
  const dropped: number[] = [];
  while (waiting.length > 0) {
    const batch = waiting.slice(0, maxEvents);
    sent.push(batch);
    const isRejected = batch.includes(21);
    if (isRejected && batch.length === 1) dropped.push(...batch);
    if (!isRejected || batch.length === 1) waiting = waiting.slice(batch.length);
    maxEvents = bisectBatch(maxEvents, batch.length, isRejected);
  }
  assert.deepEqual(dropped, [21]);
  assert.ok(sent.length < 14, `${sent.length} calls`);
});
