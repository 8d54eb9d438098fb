import { runFile } from './run/run-file.ts';

// In a process of its own: workers that inherit `--import ./bin/pinned.mjs` end at once.
process.exitCode = await runFile('node_modules/@playwright/test/cli.js', [
  'test',
  '--project=screens',
  '--retries=0',
  ...process.argv.slice(2),
]);
