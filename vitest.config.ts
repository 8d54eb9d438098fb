import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

const TESTS = ['{src,cli,tools,packages,test,bench}/**/*.test.ts'];
const NO_TESTS = [...configDefaults.exclude, 'test/conformance/**'];

const files = globSync(TESTS, { exclude: ['**/node_modules/**'] }).map((file) => ({
  file,
  text: readFileSync(file, 'utf8'),
}));
const listTagged = (tag: string): string[] =>
  files.filter(({ text }) => new RegExp(`^// @module-tag ${tag}$`, 'm').test(text)).map(({ file }) => file);

/** Test files that compare times, which other tests would disturb. All are slow. */
const timed = listTagged('timed');
/** Other test files with slow tests alone, which `npm test` does not load. */
const slow = listTagged('slow').filter((file) => !timed.includes(file));
/** Test files that change their process and would disturb others in it. Each states the reason in a comment. */
const alone = listTagged('alone').filter((file) => !slow.includes(file));

export default defineConfig({
  test: {
    globalSetup: './test/support/global-setup.ts',
    setupFiles: './test/support/each-test.ts',
    pool: 'forks',
    // Tests wait for PostgreSQL and other processes, so two more workers than cores keep all cores busy.
    maxWorkers: availableParallelism() + 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    allowOnly: false,
    restoreMocks: true,
    unstubEnvs: true,
    // Node loads tests and product itself, as it does in production.
    experimental: { viteModuleRunner: false, nodeLoader: true },
    tags: [
      { name: 'slow', description: 'races, kills, fuzzing and whole matrices: npm run test:slow', timeout: 1_800_000 },
      { name: 'alone', description: 'runs in a process of its own' },
      { name: 'timed', description: 'compares times: runs after the others, one file at a time' },
    ],
    projects: [
      {
        extends: true,
        test: { name: 'shared', isolate: false, include: TESTS, exclude: [...NO_TESTS, ...alone, ...slow, ...timed] },
      },
      { extends: true, test: { name: 'alone', include: alone, exclude: NO_TESTS } },
      { extends: true, test: { name: 'slow', include: slow, exclude: NO_TESTS } },
      { extends: true, test: { name: 'timed', include: timed, exclude: NO_TESTS, maxWorkers: 1 } },
    ],
  },
});
