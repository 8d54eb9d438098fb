import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('./src/web/', import.meta.url));

/** Puts the script that sets the theme into the head, hashed and blocking: the policy allows no inline script. */
function themeBeforePaint(): Plugin {
  const source = readFileSync(new URL('./src/web/theme-before-paint.js', import.meta.url), 'utf8');
  let reference: string | undefined;
  return {
    name: 'theme-before-paint',
    apply: 'build',
    buildStart() {
      reference = this.emitFile({ type: 'asset', name: 'theme.js', source });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        if (!bundle || !reference) return;
        const name = Object.keys(bundle).find((file) => /\/theme-[^/]+\.js$/.test(file));
        return [{ tag: 'script', attrs: { src: `/${name}` }, injectTo: 'head-prepend' }];
      },
    },
  };
}

/** Asks for the font with the document. Without its package the pages are built with the system's font. */
function shippedFont(): Plugin {
  const present = isInstalled('@fontsource-variable/hanken-grotesk/package.json');
  return {
    name: 'shipped-font',
    enforce: 'pre',
    load: (id) => (!present && id.endsWith('/styles/font.css') ? '' : null),
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const name = Object.keys(bundle ?? {}).find((file) => file.endsWith('.woff2'));
        if (!name) return;
        return [{ tag: 'link', attrs: { rel: 'preload', href: `/${name}`, as: 'font', type: 'font/woff2', crossorigin: true }, injectTo: 'head' }];
      },
    },
  };
}

/** The parts of the watchlist that are fetched when they are opened. */
const PARTS = ['search-to-add', 'edit-watchlist', 'ticker-panel', 'import-list'];

/**
 * Fetches a part's files before it is imported: a module that once failed to arrive is remembered as failed by the browser, for as long as
 * the page lives, and could not be asked for again. The import then takes the files from the browser's cache.
 */
function partsFetchedFirst(): Plugin {
  return {
    name: 'parts-fetched-first',
    apply: 'build',
    transform: {
      filter: { id: /\0vite\/preload-helper\.js$/ },
      handler(code) {
        const helper = 'export const __vitePreload';
        if (!code.includes(helper)) this.error('Vite writes its preload helper in another way: parts-fetched-first has to follow.');
        return code.replace(helper, 'const preloadLinks') + `;export const __vitePreload = ${importPreload};`;
      },
    },
  };
}

/** Becomes part of the helper, as text; `assetsURL` and `preloadLinks` are the helper's own. */
const importPreload = `async (load, files, importer) => {
  if (files?.some((file) => /\\/(${PARTS.join('|')})-[^/]*$/.test(file))) {
    const linked = new Set([...document.getElementsByTagName("link")].map(({ href }) => href));
    await Promise.all(files.map(async (file) => {
      const { href } = new URL(assetsURL(file, importer), location.href);
      if (linked.has(href)) return;
      const answer = await fetch(href);
      if (!answer.ok) throw new Error("answered " + answer.status + ": " + href);
      await answer.arrayBuffer();
    }));
  }
  return preloadLinks(load, files, importer);
}`;

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

export default defineConfig({
  root,
  publicDir: 'public',
  plugins: [react(), tailwind({ optimize: false }), themeBeforePaint(), shippedFont(), partsFetchedFirst()],
  worker: { format: 'es' },
  build: {
    // What the pages need: light-dark(), popover, AbortSignal.any. Older targets would freeze light-dark() at the root.
    target: ['chrome125', 'edge125', 'firefox128', 'safari17.5'],
    outDir: '../../dist/web',
    emptyOutDir: true,
    // The policy allows data: for pictures only, and a small file of its own is cached for a year.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
