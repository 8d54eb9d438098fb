import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createCircuitBreaker } from './circuit-breaker.ts';

function setUp() {
  const clock = { time: 0 };
  return { clock, breaker: createCircuitBreaker(() => clock.time) };
}

test('opens for 30 seconds when three consecutive calls time out', () => {
  const { breaker, clock } = setUp();
  assert.deepEqual([breaker.record('timed-out'), breaker.record('timed-out'), breaker.isOpen()], [false, false, false]);
  assert.deepEqual([breaker.record('timed-out'), breaker.isOpen()], [true, true]);
  clock.time = 29_999;
  assert.equal(breaker.isOpen(), true);
  clock.time = 30_000;
  assert.equal(breaker.isOpen(), false);
});

test('opens again when the first call after the open state times out', () => {
  const { breaker, clock } = setUp();
  for (let call = 0; call < 3; call += 1) breaker.record('timed-out');
  clock.time = 30_000;
  assert.deepEqual([breaker.record('timed-out'), breaker.isOpen()], [true, true]);
});

test('resets the timeout count when a call returns a response', () => {
  const { breaker } = setUp();
  for (const outcome of ['timed-out', 'timed-out', 'answered', 'timed-out', 'timed-out'] as const)
    assert.equal(breaker.record(outcome), false);
  assert.equal(breaker.isOpen(), false);
});
