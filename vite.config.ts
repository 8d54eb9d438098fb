import { fileURLToPath } from 'node:url';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, normalizePath, type Rolldown } from 'vite';
import { entryPage } from './tools/build-web/entry-page.ts';
import { importWithRetryPlugin } from './tools/build-web/import-with-retry-plugin.ts';
import { pageDocuments } from './tools/build-web/page-documents.ts';
import { shippedFont } from './tools/build-web/shipped-font.ts';
import { target } from './tools/build-web/target.ts';
import { beforePaint } from './tools/build-web/before-paint.ts';

const root = fileURLToPath(new URL('./src/ui/shell/', import.meta.url));

/** Returns whether a module of the shell imports another module, itself or through others. */
function isPartOf(shellModule: RegExp, id: string, context: Rolldown.ChunkingContext): boolean {
  const importers = new Set([id]);
  for (const importer of importers) {
    if (importer.startsWith(normalizePath(root)) && shellModule.test(importer)) return true;
    for (const next of context.getModuleInfo(importer)?.importers ?? []) importers.add(next);
  }
  return false;
}

/** What shows an amount, a change or a line. */
const FIGURES =
  /src\/ui\/kit\/(formats|make-once|count-factor-decimals|line-chart|chart-scale|chart-time|price-changes)\.tsx?$/;

export default defineConfig({
  root,
  publicDir: 'public',
  plugins: [
    react(),
    tailwind({ optimize: false }),
    beforePaint(),
    shippedFont(),
    importWithRetryPlugin(),
    pageDocuments(),
    entryPage(target),
  ],
  worker: { format: 'es' },
  build: {
    target,
    outDir: '../../../dist/web',
    emptyOutDir: true,
    // The policy allows data: for pictures only, and a small file of its own is cached for a year.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // Who starts the service is told what it does, not which plugin takes how long.
      checks: { pluginTimings: false },
      output: {
        codeSplitting: {
          // Six scripts take what many pages need, because each small file costs a round trip: what starts a page, figures
          // and charts, which the landing page shows without reads, the reads of pages, the app around every page, and what the dashboard shares with others. Other code that six
          // or more lazy chunks share is mostly of forms.
          groups: [
            { name: 'shell', tags: ['$initial'], priority: 3 },
            // The bar around every page shows a time, and no figure.
            { name: 'dates', test: /src\/ui\/kit\/date-format\.ts$/, priority: 2.6 },
            { name: 'figures', test: FIGURES, priority: 2.5 },
            { name: (id, context) => (isPartOf(/routes\/page-reads/, id, context) ? 'reads' : null), priority: 2 },
            { name: (id, context) => (isPartOf(/render-app/, id, context) ? 'app' : null), priority: 2 },
            {
              name: (id, context) => (isPartOf(/routes\/dashboard\./, id, context) ? 'shared' : null),
              minShareCount: 3,
              priority: 1,
            },
            // Pages of the own account share code that no dialog of the dashboard needs.
            {
              name: 'account',
              test: /src\/(ui\/shell\/(sign-in|session)|features\/settings)\//,
              minShareCount: 4,
              priority: 1,
            },
            { name: 'forms', minShareCount: 6 },
          ],
        },
      },
    },
  },
});
