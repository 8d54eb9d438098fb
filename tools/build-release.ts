/**
 * Builds the release in dist/release: the folder `tally-<version>` (sources without tests, migrations, the built web
 * app and program, the lock file, deploy/ and docs/), the archive `tally-<version>.tar.gz` of it, and
 * `tally-<version>.cdx.json`, its CycloneDX list of libraries. `npm ci --omit=dev && npm start` runs it without a build.
 * `--folder PATH` writes only the folder, for a container image.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { repository } from './build-folder.ts';
import { buildServer } from './build-server.ts';
import { buildWeb } from './build-web.ts';
import { parseOptions } from './run/parse-options.ts';
import { sharedUiFiles } from './shared-ui-files.ts';

/** Glob patterns of the files that a server needs. */
const INCLUDED = [
  'bin/*.mjs',
  'cli/**/*',
  'src/**/*',
  'packages/token-counter/{src,data}/**/*',
  'packages/token-counter/{package.json,README.md,LICENSE}',
  'db/migrations/*.sql',
  'deploy/**/*',
  'docs/**/*',
  'licenses/**/*',
  '.dockerignore',
  '.env.example',
  '.npmrc',
  'CHANGELOG.md',
  'CODE_OF_CONDUCT.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'package-lock.json',
];
/** Leaves out tests, filled-in settings and the sources of screens that the server does not load. */
const isExcluded = (file: string): boolean =>
  /\.test\.tsx?$|\.env$/.test(file) || (/^src\/(features\/([\w-]+\/)+)?ui\//.test(file) && !sharedUiFiles.has(file));

/** The files of a release beside the built web app, as sorted paths from the root of the repository. */
export function listReleaseFiles(): string[] {
  return globSync(INCLUDED, { cwd: repository, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(repository.length))
    .filter((file) => !isExcluded(file))
    .sort();
}

/** The package.json of a release, which keeps only the script `start`, since everything is built. */
export function createReleaseManifest(manifest: string): string {
  const packageJson = JSON.parse(manifest) as { scripts: Record<string, string> };
  return `${JSON.stringify({ ...packageJson, scripts: { start: packageJson.scripts['start'] } }, null, 2)}\n`;
}

/** Empties `folder` and writes the release into it. */
async function buildReleaseFolder(folder: string): Promise<void> {
  // dist/web also has the files of yesterday's builds, so a new build is used.
  const temporary = await mkdtemp(join(tmpdir(), 'tally-release-'));
  await rm(folder, { recursive: true, force: true });
  try {
    await Promise.all([buildWeb, buildServer].map((build) => build({ ifStale: false, dist: temporary })));
    for (const name of ['web', 'server'])
      await cp(join(temporary, name), join(folder, 'dist', name), { recursive: true });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  for (const file of listReleaseFiles()) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(repository, file), join(folder, file));
  }
  await writeFile(
    join(folder, 'package.json'),
    createReleaseManifest(await readFile(join(repository, 'package.json'), 'utf8')),
  );
}

/** Runs a program and returns its output. Throws its error output when it fails. */
function run(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    ...options,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error || status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr.trim()}`);
  return stdout;
}

/**
 * Writes folder, archive and list of libraries into `dist`, and returns the path of the archive. The same sources give
 * the same bytes, since every file has no owner and the time of the commit (or `SOURCE_DATE_EPOCH`).
 */
async function buildRelease(dist = join(repository, 'dist', 'release')): Promise<string> {
  const { version } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as { version: string };
  const name = `tally-${version}`;
  await rm(dist, { recursive: true, force: true });
  await buildReleaseFolder(join(dist, name));
  const time =
    process.env['SOURCE_DATE_EPOCH'] ?? run('git', ['log', '-1', '--format=%ct'], { cwd: repository }).trim();
  const archive = join(dist, `${name}.tar.gz`);
  const reproducible = [
    '--sort=name',
    `--mtime=@${time}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u+rwX,go+rX,go-w',
  ];
  run('tar', [...reproducible, '-I', 'gzip -n9', '-cf', archive, '-C', dist, name]);
  // From the lock file, so that the list does not depend on what is installed here.
  const list = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'];
  await writeFile(join(dist, `${name}.cdx.json`), run('npm', list, { cwd: join(dist, name) }));
  return archive;
}

if (import.meta.main) {
  const {
    values: { folder },
  } = parseOptions({
    usage:
      'npm run release [-- --folder PATH] builds the release in dist/release and prints the path of its archive, or ' +
      'writes only its folder to PATH.',
    options: { folder: { type: 'string' } },
  });
  if (folder) await buildReleaseFolder(resolve(folder));
  else console.log(await buildRelease());
}
