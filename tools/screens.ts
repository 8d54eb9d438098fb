import { runFile } from './run/run-file.ts';

// Runs in a process of its own, because workers that inherit `--import ./bin/pinned.mjs` end at once.
process.exitCode = await runFile('node_modules/@playwright/test/cli.js', [
  'test',
  '--project=screens',
  '--retries=0',
  ...process.argv.slice(2),
]);
