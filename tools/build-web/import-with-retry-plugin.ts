import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const importWithRetryPath = fileURLToPath(new URL('../../src/ui/shell/loading/import-with-retry.ts', import.meta.url));

/** Makes each `import()` of the web app use `importWithRetry` instead of Vite's helper. */
export function importWithRetryPlugin(): Plugin {
  let replaced = false;
  return {
    name: 'import-with-retry',
    apply: 'build',
    config: () => ({
      build: {
        modulePreload: {
          polyfill: false,
          // Vite names the files of a chunk only if there are several.
          resolveDependencies: (file, others, { hostType }) =>
            hostType === 'js' && others.length === 0 ? [file] : others,
        },
        // With one style sheet, a chunk has only scripts.
        cssCodeSplit: false,
      },
    }),
    transform: {
      filter: { id: /\0vite\/preload-helper\.js$/ },
      handler() {
        replaced = true;
        return `export { importWithRetry as __vitePreload } from ${JSON.stringify(importWithRetryPath)};`;
      },
    },
    buildEnd() {
      if (!replaced) this.error('Vite adds its preload helper in another way: adapt import-with-retry.');
    },
  };
}
