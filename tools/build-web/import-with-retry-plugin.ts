import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const importWithRetryPath = fileURLToPath(new URL('../../src/ui/shell/loading/import-with-retry.ts', import.meta.url));

/** Has each `import()` of the web app done by `importWithRetry`, in the place of the helper that Vite would add. */
export function importWithRetryPlugin(): Plugin {
  let replaced = false;
  return {
    name: 'import-with-retry',
    apply: 'build',
    config: () => ({
      build: {
        modulePreload: {
          polyfill: false,
          // Vite names a part's files only where there are several.
          resolveDependencies: (file, others, { hostType }) =>
            hostType === 'js' && others.length === 0 ? [file] : others,
        },
        // One style sheet: a part is scripts alone.
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
      if (!replaced) this.error('Vite adds its preload helper in another way: import-with-retry has to follow.');
    },
  };
}
