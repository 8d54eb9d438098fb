/**
 * Builds what runs on a server: `dist/release/tally-<version>/` (sources without tests, migrations, the built web app,
 * the lock file), the same as `tally-<version>.tar.gz`, and `tally-<version>.cdx.json`, the list of its libraries by
 * CycloneDX. `npm ci --omit=dev && npm start` runs it, without a build. `--folder PATH` writes the folder alone, for an
 * image.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { repository } from './build-folder.ts';
import { buildWeb } from './build-web.ts';

/** What a server needs, as patterns from the repository on. */
const INCLUDED = [
  'bin/*.mjs',
  'cli/**/*',
  'src/**/*',
  'db/migrations/*.sql',
  'db/restore/*.sql',
  'deploy/systemd/*',
  'licenses/**/*',
  ...['.env.example', '.npmrc', 'CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package-lock.json'],
];
/** Tests, and screens, which stand in `dist/web` as built; the list of pages is read by the server. */
const isLeftOut = (file: string): boolean =>
  /\.test\.tsx?$/.test(file) || (/^src\/([\w-]+\/)?web\//.test(file) && file !== 'src/web/page-paths.ts');

/** The files of a release beside the built web app, from the repository on, in the order of their names. */
export function releaseFiles(): string[] {
  return globSync(INCLUDED, { cwd: repository, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(repository.length))
    .filter((file) => !isLeftOut(file))
    .sort();
}

/** The manifest as an installation reads it: with no script that builds, since everything is built. */
export function releaseManifest(manifest: string): string {
  const whole = JSON.parse(manifest) as { scripts: Record<string, string> };
  return `${JSON.stringify({ ...whole, scripts: { start: whole.scripts['start'] } }, null, 2)}\n`;
}

/** Writes the release into `folder`, which is emptied first. */
async function buildReleaseFolder(folder: string): Promise<void> {
  // Built apart: dist/web keeps the files of builds of the last day too, which are none of this version's.
  const apart = await mkdtemp(join(tmpdir(), 'tally-release-'));
  await rm(folder, { recursive: true, force: true });
  try {
    await buildWeb({ ifStale: false, dist: apart });
    await cp(join(apart, 'web'), join(folder, 'dist', 'web'), { recursive: true });
  } finally {
    await rm(apart, { recursive: true, force: true });
  }
  for (const file of releaseFiles()) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(repository, file), join(folder, file));
  }
  await writeFile(
    join(folder, 'package.json'),
    releaseManifest(await readFile(join(repository, 'package.json'), 'utf8')),
  );
}

/** Runs a program to its end; throws with what it said where it fails. */
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
 * Writes folder, archive and list of libraries below `dist`, and returns the archive's path. The same sources make the
 * same archive, byte for byte: it holds no owner and the time of the commit (or `SOURCE_DATE_EPOCH`).
 */
async function buildRelease(dist = join(repository, 'dist', 'release')): Promise<string> {
  const { version } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as { version: string };
  const name = `tally-${version}`;
  await rm(dist, { recursive: true, force: true });
  await buildReleaseFolder(join(dist, name));
  const time =
    process.env['SOURCE_DATE_EPOCH'] ?? run('git', ['log', '-1', '--format=%ct'], { cwd: repository }).trim();
  const archive = join(dist, `${name}.tar.gz`);
  const owner = [
    '--sort=name',
    `--mtime=@${time}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u+rwX,go+rX,go-w',
  ];
  run('tar', [...owner, '-I', 'gzip -n9', '-cf', archive, '-C', dist, name]);
  // From the lock file alone, so that what happens to be installed here is not in it.
  const list = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'];
  await writeFile(join(dist, `${name}.cdx.json`), run('npm', list, { cwd: join(dist, name) }));
  return archive;
}

if (import.meta.main) {
  const { folder } = parseArgs({ options: { folder: { type: 'string' } } }).values;
  if (folder) await buildReleaseFolder(resolve(folder));
  else console.log(await buildRelease());
}
