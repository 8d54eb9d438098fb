import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { launchOptions } from './test/support/open-browser.ts';

export default defineConfig({
  projects: [
    { name: 'browser', testDir: 'test/e2e', testMatch: '**/*.e2e.ts' },
    // Takes pictures and tests nothing: `npm run screens`.
    { name: 'screens', testDir: 'test/screens', testMatch: 'screens.ts', timeout: 1_800_000 },
    // Renews the pictures of shared links and of the documentation: `npm run pictures`.
    { name: 'pictures', testDir: 'test/screens', testMatch: 'pictures.ts' },
  ],
  globalSetup: './test/support/browser-setup.ts',
  outputDir: 'node_modules/.cache/browser-tests',
  // Pages wait for the service now and then, so one more worker than cores keeps all cores busy.
  workers: availableParallelism() + 1,
  timeout: 300_000,
  forbidOnly: true,
  // The retry shows whether a failed test is flaky; the slow run fails on flaky tests.
  retries: 1,
  reporter: 'list',
  use: {
    // Pages of tests live for seconds, so compiling scripts on more threads costs more than it gains.
    launchOptions: await launchOptions(['--js-flags=--single-threaded']),
    // A test answers requests itself, which a worker would send past it. Tests of the worker allow it.
    serviceWorkers: 'block',
    // Recording every test takes half as much time again; a failed test is run again, which records it.
    trace: 'on-first-retry',
  },
});
