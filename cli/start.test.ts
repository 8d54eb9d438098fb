import assert from 'node:assert/strict';
import { test } from 'vitest';
import { parseOptions } from './start.ts';

test('parses the options of a start and describes a wrong one', () => {
  const defaults = { processes: 1, worker: true, attach: false, only: undefined };
  assert.deepEqual(parseOptions([]), defaults);
  assert.deepEqual(parseOptions(['--processes', '8', '--no-worker']), { ...defaults, processes: 8, worker: false });
  assert.deepEqual(parseOptions(['--attach']), { ...defaults, attach: true });
  assert.deepEqual(parseOptions(['--only', 'token-api']), { ...defaults, only: 'token-api' });
  for (const [argv, sentence] of [
    [['--only', 'watchlist'], /^--only must be token-api\.$/],
    [['--processes', '0'], /^--processes must be a whole number from 1 to 64\.$/],
    [['--processes=65'], /from 1 to 64/],
    [['--processes', '2.5'], /from 1 to 64/],
    [['--processes'], /^takes --processes N, --no-worker, --attach and --only token-api\.$/],
    [['--attach', '--processes', '2'], /takes no --processes/],
    [['now'], /^expects no arguments, but got "now"\.$/],
  ] as const)
    assert.match(parseOptions(argv) as string, sentence);
});
