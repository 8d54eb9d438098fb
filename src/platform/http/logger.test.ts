import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createLogger, destinationOf } from './logger.ts';

test('loggers of a process write by one destination, and one that says nothing has none of its own', () => {
  // Each destination writes once a second, for as long as the process lives.
  const [first, second] = [createLogger('warn'), createLogger('info')];
  assert.equal(destinationOf(first), destinationOf(second));
  const [silent, other] = [createLogger('silent'), createLogger('silent')];
  assert.equal(destinationOf(silent), destinationOf(other));
  assert.notEqual(destinationOf(silent), destinationOf(first));
});
