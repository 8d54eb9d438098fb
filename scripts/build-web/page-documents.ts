import { fileURLToPath } from 'node:url';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Plugin } from 'vite';
import { normalizePath, runnerImport } from 'vite';
import type { PagePath } from '../../src/web/page-paths.ts';

/** What each page shows, by the file that its address loads. */
const screens: Readonly<Record<PagePath, string>> = {
  '/': 'web/landing/landing-page.tsx',
  '/sign-up': 'identity/web/sign-up-page.tsx',
  '/sign-in': 'identity/web/sign-in-page.tsx',
  '/dashboard': 'web/dashboard/dashboard-page.tsx',
  '/plans': 'billing/web/plans-page.tsx',
  '/settings': 'web/settings/settings-page.tsx',
  '/settings/api-keys': 'web/settings/api-keys-page.tsx',
};

const sources = normalizePath(fileURLToPath(new URL('../../src/', import.meta.url)));

/** What is read of a file of the build. */
interface Built {
  type: 'chunk' | 'asset';
  fileName: string;
  moduleIds?: readonly string[];
  imports?: readonly string[];
  source?: string | Uint8Array;
}

/**
 * Writes a document for each page, `pages/<path>/index.html`, with the page's first look in it. It names every script of the page: they
 * travel together with the shell, where each would be asked for only once the one before it runs.
 */
export function pageDocuments(): Plugin {
  return {
    name: 'page-documents',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const files = Object.values(bundle) as readonly Built[];
        const document = files.find(({ fileName }) => fileName === 'index.html')?.source;
        if (typeof document !== 'string') return this.error('There is no index.html to make the pages\' documents of.');
        const { module } = await runnerImport<typeof import('../../src/web/first-look.tsx')>(`${sources}web/first-look.tsx`, { configFile: false, logLevel: 'warn' });
        for (const [path, screen] of Object.entries(screens)) {
          const chunk = files.find(({ moduleIds }) => moduleIds?.includes(sources + screen));
          if (!chunk) return this.error(`No script holds ${screen}, which ${path} shows.`);
          const links = withImports(chunk, files)
            .filter(({ fileName }) => !document.includes(`"/${fileName}"`))
            .map(({ fileName }) => `    <link rel="modulepreload" crossorigin href="/${fileName}">\n`);
          const look = renderToStaticMarkup(createElement(module.FirstLook, { path: path as PagePath }));
          const source = document.replace('  </head>', `${links.join('')}  </head>`).replace('<div id="app">', `$&${look}`);
          this.emitFile({ type: 'asset', fileName: `pages${path === '/' ? '' : path}/index.html`, source });
        }
      },
    },
  };
}

/** A script and all that it imports, each once. */
function withImports(first: Built, files: readonly Built[]): Built[] {
  const found = new Set([first]);
  for (const { imports = [] } of found) {
    for (const file of files) if (imports.includes(file.fileName)) found.add(file);
  }
  return [...found];
}
