import { fileURLToPath } from 'node:url';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { normalizePath, type Plugin, runnerImport } from 'vite';
import type * as prerenderedShell from '../../src/ui/shell/routes/prerendered-shell.tsx';
import type { RoutePath } from '../../src/ui/shell/route-paths.ts';

/** The screen of each page, by the file that its route loads. */
const screens: Readonly<Record<RoutePath, string>> = {
  '/': 'ui/shell/routes/landing.tsx',
  '/sign-up': 'ui/shell/routes/sign-up.tsx',
  '/sign-in': 'ui/shell/sign-in/sign-in-page.tsx',
  '/forgot-password': 'ui/shell/sign-in/forgot-password-page.tsx',
  '/reset-password': 'ui/shell/sign-in/reset-password-page.tsx',
  '/verify-email': 'ui/shell/sign-in/verify-email-page.tsx',
  '/stop-email-change': 'ui/shell/sign-in/stop-email-change-page.tsx',
  '/stop-alert-mails': 'features/alerts/ui/stop-mails-page.tsx',
  '/developers': 'features/site/ui/developers-page.tsx',
  '/developers/playground': 'features/token-api/ui/playground/playground-page.tsx',
  '/privacy': 'features/site/ui/privacy-page.tsx',
  '/terms': 'features/site/ui/terms-page.tsx',
  '/dashboard': 'ui/shell/routes/dashboard.tsx',
  '/portfolio': 'ui/shell/routes/portfolio.tsx',
  '/watchlist': 'ui/shell/routes/watchlist.tsx',
  '/assistant': 'ui/shell/routes/assistant.tsx',
  '/plans': 'features/billing/ui/plans-page.tsx',
  '/plans/return': 'features/billing/ui/return-page.tsx',
  '/connections/return': 'features/connections/ui/return-page.tsx',
  '/settings': 'ui/shell/routes/settings.tsx',
  '/settings/security': 'features/settings/ui/security-page.tsx',
  '/settings/connections': 'ui/shell/routes/settings-connections.tsx',
  '/settings/billing': 'ui/shell/routes/settings-billing.tsx',
  '/settings/api-keys': 'ui/shell/routes/settings-api-keys.tsx',
  '/settings/assistant': 'ui/shell/routes/settings-assistant.tsx',
  '/settings/invite': 'ui/shell/routes/settings-invite.tsx',
  '/operator': 'features/operator/ui/operator-page.tsx',
  '/operator/revenue': 'features/billing/ui/revenue-page.tsx',
};

const sources = normalizePath(fileURLToPath(new URL('../../src/', import.meta.url)));

/** The fields that are read of a file of the build. */
interface Built {
  type: 'chunk' | 'asset';
  fileName: string;
  moduleIds?: readonly string[];
  imports?: readonly string[];
  source?: string | Uint8Array;
}

/**
 * Writes a document for each page, `pages/<path>/index.html`, with the initial content and the style sheet inlined. So
 * the browser can paint the page at once. The document names every script of the page, so that the scripts load in
 * parallel with the shell. Otherwise each would be requested only after the previous one runs.
 */
export function pageDocuments(): Plugin {
  return {
    name: 'page-documents',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const files = Object.values(bundle) as readonly Built[];
        const index = files.find(({ fileName }) => fileName === 'index.html');
        const style = files.find(({ fileName }) => fileName.endsWith('.css'));
        if (typeof index?.source !== 'string' || typeof style?.source !== 'string')
          return this.error("The build has no index.html with a style sheet, which the pages' documents need.");
        const document = inlineStyle(index.source, style.source);
        const app = files.find(({ moduleIds }) => moduleIds?.includes(`${sources}ui/shell/render-app.tsx`));
        if (!app) return this.error('No script contains render-app.tsx, which renders every page.');
        const appScripts = listWithImports(app, files);
        index.source = addPreloads(document, appScripts);
        delete bundle[style.fileName];
        const { module } = await runnerImport<typeof prerenderedShell>(
          `${sources}ui/shell/routes/prerendered-shell.tsx`,
          {
            configFile: false,
            logLevel: 'warn',
          },
        );
        for (const [path, screen] of Object.entries(screens)) {
          const chunk = files.find(({ moduleIds }) => moduleIds?.includes(sources + screen));
          if (!chunk) return this.error(`No script contains ${screen}, which ${path} shows.`);
          const scripts = [...new Set([...appScripts, ...listWithImports(chunk, files)])];
          const shellHtml = renderToStaticMarkup(createElement(module.PrerenderedShell, { path: path as RoutePath }));
          const page = addPreloads(document, scripts).replace('<div id="app">', `$&${shellHtml}`);
          const source = path === '/' ? describeForSharing(page) : page;
          this.emitFile({ type: 'asset', fileName: `pages${path === '/' ? '' : path}/index.html`, source });
        }
      },
    },
  };
}

const TITLE = 'Tally: your whole portfolio in one place';

/** Adds what search results and shared links show of the landing page. The server completes the picture's address. */
function describeForSharing(document: string): string {
  const description = /<meta name="description" content="([^"]+)"/.exec(document)?.[1];
  if (description === undefined) throw new Error('index.html has no description, which shared links show.');
  const properties = {
    'og:type': 'website',
    'og:title': TITLE,
    'og:description': description,
    'og:image': '/share.png',
    'og:image:width': '1200',
    'og:image:height': '630',
  };
  const tags = Object.entries(properties).map(
    ([name, content]) => `    <meta property="${name}" content="${content}">\n`,
  );
  return document
    .replace(/<title>.*<\/title>\n/, () => `<title>${TITLE}</title>\n${tags.join('')}`)
    .replace('</title>\n', '</title>\n    <meta name="twitter:card" content="summary_large_image">\n');
}

/**
 * Inlines the style sheet behind the links of the document, so that the browser requests the linked files before it
 * reads the style.
 */
function inlineStyle(document: string, style: string): string {
  const link = /^\s*<link rel="stylesheet"[^>]*>\n/m;
  if (!link.test(document) || style.includes('</style'))
    throw new Error('The style sheet cannot be put into index.html.');
  return document.replace(link, '').replace('  </head>', () => `    <style>${style}</style>\n  </head>`);
}

/** Names scripts in a document that it does not name yet, before the style, which is longer. */
function addPreloads(document: string, scripts: readonly Built[]): string {
  const links = scripts
    .filter(({ fileName }) => !document.includes(`"/${fileName}"`))
    .map(({ fileName }) => `    <link rel="modulepreload" crossorigin href="/${fileName}">\n`);
  return document.replace('    <style>', `${links.join('')}    <style>`);
}

/** Returns a script and everything that it imports, each once. */
function listWithImports(first: Built, files: readonly Built[]): Built[] {
  const found = new Set([first]);
  for (const { imports = [] } of found) {
    for (const file of files) if (imports.includes(file.fileName)) found.add(file);
  }
  return [...found];
}
