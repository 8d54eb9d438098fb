import { runFile } from './run/run-file.ts';

const args = process.argv.slice(2).filter((argument) => argument !== '--pictures');
const isPicturesRun = process.argv.includes('--pictures');

// Runs in a process of its own, because workers that inherit `--import ./bin/pinned.mjs` end at once.
process.exitCode = await runFile('node_modules/@playwright/test/cli.js', [
  'test',
  `--project=${isPicturesRun ? 'pictures' : 'screens'}`,
  '--retries=0',
  ...args,
]);
