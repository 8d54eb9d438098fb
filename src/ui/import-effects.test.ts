// @module-tag alone
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { createServer, createServerModuleRunner, type Plugin } from 'vite';
import { test, type TestContext, vi } from 'vitest';
import type * as store from './kit/store.ts';

// Runs in a separate process, because the test replaces globals and no module of the page may be imported before.

/** Reports each subscription to a store to `globalThis.onSubscribe`. */
const reportSubscriptions: Plugin = {
  name: 'report-subscriptions',
  enforce: 'pre',
  transform: {
    filter: { id: /\/ui\/kit\/store\.ts$/ },
    handler: (code) => code.replace('subscribe(listener) {', '$& globalThis.onSubscribe();'),
  },
};

/** Replaces globals with functions that record an effect when a module of the page calls them. */
function recordEffects(): string[] {
  const effects: string[] = [];
  const record = (name: string) =>
    function (): void {
      effects.push(name);
    };
  vi.stubGlobal('onSubscribe', record('subscribes to a store'));
  vi.stubGlobal('addEventListener', record('adds a listener'));
  vi.stubGlobal('BroadcastChannel', record('opens a channel'));
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const original = globalThis[name] as (...args: unknown[]) => unknown;
    vi.stubGlobal(name, (...args: unknown[]) => {
      // Vite loads the modules in this process and has its own timers.
      if (/\/src\/(ui|features)\//.test((new Error().stack ?? '').split('\n')[2] ?? '')) effects.push('starts a timer');
      return original(...args);
    });
  }
  return effects;
}

async function createRunner(t: TestContext) {
  const server = await createServer({
    configFile: false,
    logLevel: 'error',
    plugins: [reportSubscriptions],
    server: { middlewareMode: true, ws: false, watch: null },
  });
  t.onTestFinished(() => server.close());
  return createServerModuleRunner(server.environments.ssr, { hmr: false });
}

/** Returns the paths of all modules except tests and entries. Entries may start timers and listeners. */
function listModules(): string[] {
  const isEntry =
    /^shell\/((gallery|api-reference)\/)?(main|policy-safe-styles)\.|\/entry-page\/(main|consume-fragment)\.|-worker\./;
  const paths = globSync(['{kit,shell}/**/*.{ts,tsx}', '../features/*/ui/**/*.{ts,tsx}'], { cwd: import.meta.dirname });
  return paths.filter((path) => !/\.(test|d)\.ts$/.test(path) && !isEntry.test(path));
}

test('adds no listener, timer or subscription when a module is imported', { tags: ['slow'] }, async (t) => {
  const effects = recordEffects();
  const runner = await createRunner(t);
  const modules = listModules();
  assert.ok(modules.length > 200, `${modules.length} modules`);

  for (const path of modules) {
    await runner.import(join(import.meta.dirname, path));
    assert.deepEqual(effects, [], path);
  }

  const { createStore } = await runner.import<typeof store>(join(import.meta.dirname, 'kit/store.ts'));
  createStore(0).subscribe(() => undefined);
  assert.deepEqual(effects, ['subscribes to a store'], 'effects are recorded');
});
