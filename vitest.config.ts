import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

const TESTS = ['{src,cli,tools,packages,test,bench}/**/*.test.ts'];
const NO_TESTS = [...configDefaults.exclude, 'test/conformance/**'];

/** Test files that change their process and would disturb others in it. Each states the reason in a comment. */
const alone = globSync(TESTS, { exclude: ['**/node_modules/**'] }).filter((file) =>
  /^\/\/ @module-tag alone$/m.test(readFileSync(file, 'utf8')),
);

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
    ],
    projects: [
      { extends: true, test: { name: 'shared', isolate: false, include: TESTS, exclude: [...NO_TESTS, ...alone] } },
      { extends: true, test: { name: 'alone', include: alone, exclude: NO_TESTS } },
    ],
  },
});
