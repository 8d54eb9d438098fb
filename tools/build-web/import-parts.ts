import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const importPart = fileURLToPath(new URL('../../src/ui/shell/loading/import-part.ts', import.meta.url));

/** Has each `import()` of the web app done by `importPart`, in the place of the helper that Vite would add. */
export function importParts(): Plugin {
  let replaced = false;
  return {
    name: 'import-parts',
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
        return `export { importPart as __vitePreload } from ${JSON.stringify(importPart)};`;
      },
    },
    buildEnd() {
      if (!replaced) this.error('Vite adds its preload helper in another way: import-parts has to follow.');
    },
  };
}
