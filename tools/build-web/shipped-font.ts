import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

/**
 * Asks for the font with the document, after the scripts: text does not wait for it. Without its package the pages are
 * built with the system's font.
 */
export function shippedFont(): Plugin {
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
        return [
          {
            tag: 'link',
            attrs: {
              rel: 'preload',
              href: `/${name}`,
              as: 'font',
              type: 'font/woff2',
              crossorigin: true,
              fetchpriority: 'low',
            },
            injectTo: 'head',
          },
        ];
      },
    },
  };
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}
