import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createLogger, getDestination } from './logger.ts';

test('loggers of a process write by one destination, and one that says nothing has none of its own', () => {
  // Each destination writes once a second, for as long as the process lives.
  const [first, second] = [createLogger('warn'), createLogger('info')];
  assert.equal(getDestination(first), getDestination(second));
  const [firstSilent, secondSilent] = [createLogger('silent'), createLogger('silent')];
  assert.equal(getDestination(firstSilent), getDestination(secondSilent));
  assert.notEqual(getDestination(firstSilent), getDestination(first));
});
