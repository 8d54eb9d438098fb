import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/**
 * Puts the script that sets the theme and the hint of a session into the head: it must run before anything is painted.
 * The server allows it by its hash.
 */
export function beforePaint(): Plugin {
  const script = new URL('../../src/ui/shell/before-paint.js', import.meta.url);
  const children = readFileSync(script, 'utf8').trim();
  return {
    name: 'before-paint',
    transformIndexHtml: { order: 'post', handler: () => [{ tag: 'script', children, injectTo: 'head-prepend' }] },
  };
}
