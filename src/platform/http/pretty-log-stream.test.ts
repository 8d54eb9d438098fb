import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createPrettyLogStream } from './pretty-log-stream.ts';
import { createLogger } from './logger.ts';

test('escapes terminal control characters in a line of the log', () => {
  const written: string[] = [];
  const stream = createPrettyLogStream((text) => {
    written.push(text);
  });
  const logger = createLogger('info', stream);
  logger.info('Applied a migration.');
  logger.warn({ path: '/a\u001b[2Jb\u202e', status: 404 }, 'request');
  logger.error({ err: Object.assign(new Error('gone'), { stack: 'Error: gone\n    at \u0007here' }) }, 'failed');
  stream.write('no JSON\n');
  assert.deepEqual(
    written.map((text) => text.replace(/^\d\d:\d\d:\d\d/, '00:00:00')),
    [
      '00:00:00 Applied a migration.\n',
      '00:00:00 warn request path=/a\\u001b[2Jb\\u202e status=404\n',
      '00:00:00 error failed\n  Error: gone\n      at \\u0007here\n',
      'no JSON\n',
    ],
  );
});
