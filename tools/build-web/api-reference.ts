import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import tailwind from '@tailwindcss/vite';
import { build, type Plugin } from 'vite';
import { buildFolder, repository } from '../build-folder.ts';
import { compressAll } from './compress-all.ts';
import { target } from './target.ts';
import { beforePaint } from './before-paint.ts';

const INPUTS = [
  'src/ui/shell/api-reference/**/*',
  'src/ui/shell/styles/{tokens,font}.css',
  'src/ui/shell/before-paint.js',
  'tools/build-web/{api-reference,compress-all,target,before-paint}.ts',
];

/**
 * Builds the page of the API reference into `dist/api-reference` if its sources or the lock file have changed. Apart
 * from the web app, since its library is larger than the app and rarely changes.
 */
export async function buildApiReference({ dist }: { dist: string }): Promise<string> {
  const buildInto = async (built: string): Promise<void> => {
    await build({
      configFile: false,
      root: join(repository, 'src/ui/shell'),
      publicDir: false,
      logLevel: 'warn',
      plugins: [tailwind({ optimize: false }), beforePaint(), replaceLibraryCode(), licenseList()],
      build: {
        target,
        outDir: built,
        emptyOutDir: false,
        assetsInlineLimit: 0,
        modulePreload: false,
        reportCompressedSize: false,
        chunkSizeWarningLimit: Infinity,
        rolldownOptions: {
          input: join(repository, 'src/ui/shell/api-reference/index.html'),
          checks: { pluginTimings: false },
        },
      },
    });
    await mkdir(join(built, 'pages'));
    await rename(join(built, 'api-reference'), join(built, 'pages/docs'));
    // The best quality would take five times as long and save a fourteenth.
    await compressAll(built, 9);
  };
  const folder = {
    dist,
    name: 'api-reference',
    inputs: INPUTS,
    sentinelFile: 'pages/docs/index.html',
    build: buildInto,
  };
  await buildFolder(folder, { ifStale: true });
  return join(dist, 'api-reference');
}

/**
 * Code of the library and what replaces it: style attributes, which the policy forbids and reports, and an example of a
 * key that looks like a key which is filled in.
 */
const REPLACEMENTS: readonly { file: RegExp; search: RegExp; replacement: string }[] = [
  {
    file: /@scalar\/themes\/dist\/index\.js$/,
    search: /(\w+)\.setAttribute\("style", ("[^"]*")\)/g,
    replacement: '$1.style.cssText = $2',
  },
  {
    file: /@scalar\/highlight\/dist\/compat\/syntax-highlight\.js$/,
    search: /const style = lineMode \? .+;/g,
    replacement: "const style = '';",
  },
  {
    file: /\/scalar-auth-selector-block\/components\/RequestAuthTab\.vue_vue_type_script.*\.js$/,
    search: /placeholder: "[A-Za-z0-9]{40}"/g,
    replacement: 'placeholder: "Your key"',
  },
];

/** Replaces code of the library. Fails if a new version is written in another way. */
function replaceLibraryCode(): Plugin {
  const replaced = new Set<RegExp>();
  return {
    name: 'replace-library-code',
    transform: {
      filter: { id: REPLACEMENTS.map(({ file }) => file) },
      handler(code, id) {
        const { search, replacement } = REPLACEMENTS.find(({ file }) => file.test(id))!;
        const changed = code.replace(search, replacement);
        if (changed !== code) replaced.add(search);
        return { code: changed, map: null };
      },
    },
    buildEnd() {
      for (const { file, search } of REPLACEMENTS)
        if (!replaced.has(search)) this.error(`${file} no longer contains ${search}: adapt api-reference.ts.`);
    },
  };
}

/** Writes `assets/licenses.txt` with the license of every bundled library. */
function licenseList(): Plugin {
  return {
    name: 'license-list',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
      const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
      const texts = await Promise.all([...new Set(folders)].sort().map(readLicense));
      this.emitFile({ type: 'asset', fileName: 'assets/licenses.txt', source: texts.join('\n') });
    },
  };
}

/** Returns name, version and license of a package, with the text of its license file if it has one. */
async function readLicense(folder: string): Promise<string> {
  const { name, version, license, author } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string;
    author?: string | { name: string };
  };
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? await readFile(join(folder, file), 'utf8') : '';
  const by = typeof author === 'string' ? author : author?.name;
  return `${name} ${version}, ${license ?? 'see below'}${by ? `, ${by}` : ''}\n\n${text}`;
}
