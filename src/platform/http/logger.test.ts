import assert from 'node:assert/strict';
import { test } from 'vitest';
import { AppError } from '../../errors.ts';
import { createLogger, getDestination, PROCESS_FIELDS } from './logger.ts';
import { runWithRequestId } from './request-id.ts';

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

/** Returns a logger of level `info` and its lines. */
function createRecordedLogger() {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger('info', { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) });
  return { logger, lines };
}

test('adds process, host, version and the request id when a request is handled', () => {
  const { logger, lines } = createRecordedLogger();
  logger.info('outside');
  runWithRequestId('req_1', () => logger.info({ part: 'prices' }, 'inside'));
  assert.deepEqual(
    lines.map(({ level: _level, time: _time, ...fields }) => fields),
    [
      { ...PROCESS_FIELDS, msg: 'outside' },
      { ...PROCESS_FIELDS, reqId: 'req_1', part: 'prices', msg: 'inside' },
    ],
  );
});

test('logs at debug what fails when the database is unavailable', () => {
  const { logger, lines } = createRecordedLogger();
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const stopping = Object.assign(new Error('terminating connection'), { code: '57P01' });
  logger.warn({ err: new AppError('UNAVAILABLE', { cause: refused }) }, 'our pool');
  logger.error({ err: stopping }, 'the server');
  logger.warn({ err: new Error('Connection terminated unexpectedly') }, 'the driver');
  assert.deepEqual(lines, []);
  logger.warn({ err: refused }, 'another service');
  logger.warn({ err: new AppError('UNAVAILABLE', { cause: new Error('timeout exceeded') }) }, 'a busy pool');
  assert.deepEqual(
    lines.map(({ level, msg }) => [level, msg]),
    [
      ['warn', 'another service'],
      ['warn', 'a busy pool'],
    ],
  );
});
