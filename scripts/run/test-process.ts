import { relative } from 'node:path';
import { suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { restoreProcess } from './process-state.ts';
import { takeFiles } from './test-queue.ts';

// One process of a test run: it takes files from the run's queue and runs each as a suite that has the file's name, so
// that the hooks of a file are its own. A file must leave the process as it found it, since others run after it.

/** A file that takes longer than this hangs, and fails. */
const FILE_TIMEOUT_MS = 300_000;

/** What still keeps the process alive this long after its last test is a leak. */
const END_TIMEOUT_MS = 60_000;

for (const { file, alone } of takeFiles()) {
  let restore = (): string[] => [];
  const name = relative(process.cwd(), file);
  await suite(name, { timeout: FILE_TIMEOUT_MS }, async () => {
    // Here, since the runner's own listeners come with its first suite.
    restore = restoreProcess();
    await import(pathToFileURL(file).href);
  });
  const changed = alone ? [] : restore();
  if (changed.length > 0)
    await test(`${name} leaves the process as it found it`, () => {
      throw new Error(
        `It changed ${changed.join(', ')}: put it back in a hook, or begin a comment of the file with ` +
          '"Runs in a process of its own:" and the reason.',
      );
    });
  // What the file reported leaves the process before the next one can end it.
  await setImmediate();
}

setTimeout(() => {
  console.error(`Something keeps this process alive: ${process.getActiveResourcesInfo().join(', ')}`);
  process.exit(1);
}, END_TIMEOUT_MS).unref();
