// @module-tag alone
import assert from 'node:assert/strict';
import { beforeEach, test, vi } from 'vitest';
import { ApiError } from '../../kit/api-error.ts';
import { EventQueue } from './event-queue.ts';
import { eventStorage } from './event-storage.ts';

// Runs in a separate process, because the test replaces a global with a storage stub.

const stored: Record<string, string> = {};
Object.defineProperties(stored, {
  getItem: { value: (key: string) => stored[key] ?? null },
  setItem: {
    value: (key: string, text: string) => {
      stored[key] = text;
    },
  },
  removeItem: {
    value: (key: string) => {
      delete stored[key];
    },
  },
});
Object.assign(globalThis, { localStorage: stored, window: { localStorage: stored } });

const ADA = 'user_ada';
const LONG_AGO_MS = 10_000;

/** Stores an event of Ada that any page may send. */
function storeEvent(id: string): void {
  eventStorage.add(ADA, {
    id,
    occurred_at: new Date(Date.now() - LONG_AGO_MS).toISOString(),
    event: 'watchlist_viewed',
    properties: {},
  });
}

/** Creates a queue whose service accepts the events that `respond` accepts. */
function start({ isEnabled = true, respond = (_ids: readonly string[]): void => undefined } = {}) {
  const sent: string[][] = [];
  const queue = new EventQueue({
    storage: eventStorage,
    transport: {
      isEnabled: async () => isEnabled,
      post: async (events) => {
        const ids = events.map(({ id }) => id);
        sent.push(ids);
        respond(ids);
      },
    },
    getMember: () => ADA,
    getOwner: () => ADA,
  });
  return { queue, sent };
}

beforeEach(() => eventStorage.remove());

test('sends queued events oldest first and removes them after the response', async () => {
  storeEvent('1');
  storeEvent('2');
  const { queue, sent } = start();
  await queue.flush();
  assert.deepEqual([sent, eventStorage.keys()], [[['1', '2']], []]);
});

test('drops the one rejected event and sends the others', async () => {
  for (const id of ['1', '2', '3', '4']) storeEvent(id);
  const { queue, sent } = start({
    respond: (ids) => {
      if (ids.includes('3')) throw new ApiError(400, 'INVALID_REQUEST', 'An event is malformed.');
    },
  });
  await queue.flush();
  assert.deepEqual(sent, [['1', '2', '3', '4'], ['1', '2'], ['3', '4'], ['3'], ['4']]);
  assert.deepEqual(eventStorage.keys(), []);
});

test('keeps events and sends them later when the service is unavailable', async () => {
  vi.useFakeTimers();
  try {
    storeEvent('1');
    let isUnavailable = true;
    const { queue, sent } = start({
      respond: () => {
        if (isUnavailable) throw new ApiError(503, 'INTERNAL', 'Unavailable.');
      },
    });
    await queue.flush();
    assert.equal(eventStorage.keys().length, 1);
    isUnavailable = false;
    await vi.advanceTimersByTimeAsync(29_999);
    assert.equal(sent.length, 1);
    await vi.advanceTimersByTimeAsync(1);
    assert.deepEqual([sent, eventStorage.keys()], [[['1'], ['1']], []]);
  } finally {
    vi.useRealTimers();
  }
});

test('sends nothing and clears the queue when the member switched events off', async () => {
  storeEvent('1');
  const { queue, sent } = start({ isEnabled: false });
  await queue.flush();
  assert.deepEqual([sent, eventStorage.keys()], [[], []]);
});
