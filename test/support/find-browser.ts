import { accessSync, constants, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const nodeModules = fileURLToPath(new URL('../../node_modules/', import.meta.url));

/** A browser of the Chromium family with the options of its process. */
interface FoundBrowser {
  executablePath: string;
  env: Record<string, string>;
}

/**
 * Returns $CHROME_PATH, else a browser in PATH, else the browser from npm, so that a bare machine needs nothing more.
 */
export async function findBrowser(environment: NodeJS.ProcessEnv = process.env): Promise<FoundBrowser> {
  const named = environment['CHROME_PATH'];
  if (named) return { executablePath: named, env: {} };
  const installed = ['chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser'].flatMap((name) =>
    findInPath(name, environment['PATH'] ?? ''),
  );
  if (installed[0]) return { executablePath: installed[0], env: {} };
  return findPackagedBrowser();
}

function findInPath(name: string, path: string): string[] {
  return path
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .filter((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/**
 * Returns the browser of @sparticuz/chromium with its own libraries and fonts, unpacked once beside the installed
 * packages.
 */
async function findPackagedBrowser(): Promise<FoundBrowser> {
  const { version } = JSON.parse(await readFile(join(nodeModules, '@sparticuz/chromium/package.json'), 'utf8')) as {
    version: string;
  };
  const folder = join(nodeModules, '.cache', `chromium-${version}`);
  if (!existsSync(folder)) await unpack(folder);
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'), FONTCONFIG_PATH: join(folder, 'fonts'), HOME: folder },
  };
}

/**
 * Unpacks the package into a draft folder and renames it. The package writes in place, so a second test file could
 * otherwise run an incomplete binary.
 */
async function unpack(folder: string): Promise<void> {
  const parent = join(nodeModules, '.cache');
  await mkdir(parent, { recursive: true });
  const draft = await mkdtemp(join(parent, 'chromium-'));
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = draft;
  try {
    const { inflate } = await import('@sparticuz/chromium');
    const archives = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'];
    await Promise.all(archives.map((archive) => inflate(join(nodeModules, '@sparticuz/chromium/bin', archive))));
    await writeFile(join(draft, 'fonts', 'fonts.conf'), createFontsConf(folder));
    // Another test file may have finished first with an equal folder.
    await rename(draft, folder).catch(() => undefined);
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Returns a font configuration. The package's own list names folders of another machine, and without a font a page has
 * no text.
 */
const createFontsConf = (folder: string): string =>
  `<?xml version="1.0"?><fontconfig><dir>${escapeXml(folder)}/fonts</dir><dir>/usr/share/fonts</dir>` +
  `<cachedir>${escapeXml(folder)}/fonts-cache</cachedir></fontconfig>\n`;

const escapeXml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
