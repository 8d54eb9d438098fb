import assert from 'node:assert/strict';
import { test } from 'vitest';
import { parseOptions } from './start.ts';

test('parses the options of a start and describes a wrong one', () => {
  assert.deepEqual(parseOptions([]), { processes: 1, worker: true, attach: false });
  assert.deepEqual(parseOptions(['--processes', '8', '--no-worker']), { processes: 8, worker: false, attach: false });
  assert.deepEqual(parseOptions(['--attach']), { processes: 1, worker: true, attach: true });
  for (const [argv, sentence] of [
    [['--processes', '0'], /^--processes must be a whole number from 1 to 64\.$/],
    [['--processes=65'], /from 1 to 64/],
    [['--processes', '2.5'], /from 1 to 64/],
    [['--processes'], /^takes --processes N, --no-worker and --attach\.$/],
    [['--attach', '--processes', '2'], /takes no --processes/],
    [['now'], /^expects no arguments, but got "now"\.$/],
  ] as const)
    assert.match(parseOptions(argv) as string, sentence);
});
