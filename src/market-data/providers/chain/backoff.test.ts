import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createBackoff } from './backoff.ts';

function setUp() {
  const clock = { time: 0 };
  return { clock, backoff: createBackoff(() => clock.time) };
}

test('holds calls back for the seconds of Retry-After', () => {
  const { backoff, clock } = setUp();
  assert.equal(backoff.remainingSeconds(), undefined);
  backoff.start(30);
  assert.equal(backoff.remainingSeconds(), 30);
  clock.time = 29_999;
  assert.equal(backoff.remainingSeconds(), 1);
  clock.time = 30_000;
  assert.equal(backoff.remainingSeconds(), undefined);
});

test('holds calls back for 15 seconds when there is no Retry-After', () => {
  const { backoff } = setUp();
  backoff.start(null);
  assert.equal(backoff.remainingSeconds(), 15);
});

test('holds calls back for at most an hour when Retry-After is longer', () => {
  const { backoff } = setUp();
  backoff.start(86_400);
  assert.equal(backoff.remainingSeconds(), 3_600);
});

test('keeps the longer wait when a later 429 has a shorter one or none', () => {
  const { backoff } = setUp();
  backoff.start(600);
  backoff.start(null);
  backoff.start(5);
  assert.equal(backoff.remainingSeconds(), 600);
});
