import assert from 'node:assert/strict';
import { test } from 'vitest';
import { readOptions } from './start.ts';

test('the options of a start are read, and a wrong one is named in a sentence', () => {
  assert.deepEqual(readOptions([]), { processes: 1, worker: true, attach: false });
  assert.deepEqual(readOptions(['--processes', '8', '--no-worker']), { processes: 8, worker: false, attach: false });
  assert.deepEqual(readOptions(['--attach']), { processes: 1, worker: true, attach: true });
  for (const [argv, sentence] of [
    [['--processes', '0'], /^--processes must be a whole number from 1 to 64\.$/],
    [['--processes=65'], /from 1 to 64/],
    [['--processes', '2.5'], /from 1 to 64/],
    [['--processes'], /^takes --processes N, --no-worker and --attach\.$/],
    [['--attach', '--processes', '2'], /takes no --processes/],
    [['now'], /^takes no arguments, but got "now"\.$/],
  ] as const)
    assert.match(readOptions(argv) as string, sentence);
});
