import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import tailwind from '@tailwindcss/vite';
import { build, type Plugin } from 'vite';
import { shippedFont } from './shipped-font.ts';

const folder = fileURLToPath(new URL('../../src/features/demo-access/ui/entry-page/', import.meta.url));
const SCRIPT = '<script src="./main.ts"></script>';
const STYLE = '<link rel="stylesheet" href="./style.css" />';

/** Writes the page of demo links, `demo-access/index.html`, as one file with everything that it needs but the font. */
export function entryPage(target: string[]): Plugin {
  return {
    name: 'entry-page',
    apply: 'build',
    async generateBundle() {
      const source = await buildEntryPage(target);
      this.emitFile({ type: 'asset', fileName: 'demo-access/index.html', source });
    },
  };
}

/** Returns the document with script and style inlined instead of the links in `index.html`. */
export async function buildEntryPage(target: string[]): Promise<string> {
  const [document, script, style] = await Promise.all([
    readFile(`${folder}index.html`, 'utf8'),
    bundle('main.ts', target),
    bundle('style.css', target),
  ]);
  if (!document.includes(SCRIPT) || !document.includes(STYLE) || /<\/(script|style)/i.test(script + style))
    throw new Error('The script or the style of the entry page cannot be inlined into its index.html.');
  return document.replace(SCRIPT, () => `<script>${script}</script>`).replace(STYLE, () => `<style>${style}</style>`);
}

async function bundle(entry: 'main.ts' | 'style.css', target: string[]): Promise<string> {
  const built = await build({
    configFile: false,
    root: folder,
    publicDir: false,
    logLevel: 'warn',
    plugins: [tailwind({ optimize: false }), shippedFont()],
    build: {
      write: false,
      target,
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: { input: folder + entry, output: { format: entry === 'main.ts' ? 'iife' : 'es' } },
    },
  });
  const files = 'output' in built ? built.output : [];
  const wanted = entry.replace(/\.ts$/, '.js').split('.')[1];
  const file = files.find(({ fileName }) => fileName.endsWith(`.${wanted}`));
  if (!file) throw new Error(`The build of the entry page produced no file from ${entry}.`);
  return (file.type === 'chunk' ? file.code : String(file.source)).trim();
}
