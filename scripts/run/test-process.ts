import { relative } from 'node:path';
import { suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { measureFile } from './file-times.ts';
import { restoreProcess } from './process-state.ts';
import { takeFiles } from './test-queue.ts';

// One process of a test run: it takes files from the run's queue and runs each as a suite that has the file's name, so
// that the hooks of a file are its own. A file must leave the process as it found it, since others run after it.

/** A file that takes longer than this hangs, and fails. */
const FILE_TIMEOUT_MS = 300_000;

/** What still keeps the process alive this long after its last test is a leak. */
const END_TIMEOUT_MS = 60_000;

for (const { file, alone } of takeFiles()) {
  const name = relative(process.cwd(), file);
  let restore = (): string[] => [];
  const measured = measureFile(name);
  // The runner's own timeout leaves out hooks. It also keeps the process alive for what waits without doing so itself,
  // such as the end of a pool of connections.
  const hanging = setTimeout(endLate, 2 * FILE_TIMEOUT_MS, `${name} does not end.`);
  await suite(name, { timeout: FILE_TIMEOUT_MS }, async () => {
    // Here, since the runner's own listeners come with its first suite.
    restore = restoreProcess();
    await import(pathToFileURL(file).href);
    measured.loaded();
  });
  measured.ended();
  clearTimeout(hanging);
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

setTimeout(endLate, END_TIMEOUT_MS, 'The tests of this process have ended, and the process has not.').unref();

function endLate(why: string): void {
  console.error(`${why} It waits for: ${process.getActiveResourcesInfo().join(', ')}`);
  process.exit(1);
}
