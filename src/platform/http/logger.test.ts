import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createLogger, getDestination } from './logger.ts';

test('shares one destination between loggers and opens none for a silent logger', () => {
  // Each destination writes once a second while the process runs.
  const first = createLogger('warn');
  const second = createLogger('info');
  assert.equal(getDestination(first), getDestination(second));
  const firstSilent = createLogger('silent');
  const secondSilent = createLogger('silent');
  assert.equal(getDestination(firstSilent), getDestination(secondSilent));
  assert.notEqual(getDestination(firstSilent), getDestination(first));
});
