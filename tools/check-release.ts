/**
 * Checks whether a version may be released: the one that is named, else that of `package.json`. `npm version <new
 * version>` runs it before it changes anything, and the release workflow runs it with `--tag v1.2.3`. It prints each
 * reason against the release, and exits with 1 if there is one.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseOptions } from './run/parse-options.ts';

/** The inputs of the decision. */
export interface ReleaseState {
  version: string;
  /** The version in `package.json`, which `npm version` changes after this check. */
  packageVersion: string;
  changelog: string;
  /** Text of `.github/releases/<version>.md`, or `undefined` when the file is missing. */
  notes: string | undefined;
  /** Whether main is checked out, or for a tag whether main contains it. */
  onMain: boolean;
  /** Whether the tag exists already and its release is being built. */
  tagged: boolean;
  /** Today as YYYY-MM-DD. */
  today: string;
}

/** Returns the reasons against releasing `state.version`, as sentences with what to do. */
export function listReleaseProblems(state: ReleaseState): string[] {
  const { version, packageVersion, changelog, notes, onMain, tagged, today } = state;
  const problems: string[] = [];
  if (!/^\d+\.\d+\.\d+$/.test(version))
    return [`"${version}" is not a release version: use three numbers, such as 0.2.0.`];
  if (!onMain) problems.push('A release is created from main: switch to main and pull.');
  if (tagged && packageVersion !== version)
    problems.push(`The tag is ${version}, but package.json has ${packageVersion}: run npm version, which writes both.`);
  const unreleased = findSection(changelog, 'Unreleased');
  if (unreleased === undefined) problems.push('CHANGELOG.md has no section [Unreleased]: add an empty one at the top.');
  else if (unreleased.text !== '')
    problems.push(`CHANGELOG.md still has lines under [Unreleased]: move them under [${version}], with the date.`);
  const section = findSection(changelog, version);
  if (!section?.text) problems.push(`CHANGELOG.md has no entries under [${version}]: add them.`);
  else if (!/^\d{4}-\d{2}-\d{2}$/.test(section.date) || section.date > today)
    problems.push(`CHANGELOG.md has no date up to today for [${version}]: write "## [${version}] - ${today}".`);
  if (!notes?.includes(version))
    problems.push(
      `.github/releases/${version}.md does not exist or does not name the version: write the release notes.`,
    );
  return problems;
}

/** Returns the date and the text of a section of the changelog. */
function findSection(changelog: string, name: string): { date: string; text: string } | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.startsWith(`[${name}]`));
  if (section === undefined) return undefined;
  const [title = '', ...lines] = section.split('\n');
  return { date: title.split(' - ')[1]?.trim() ?? '', text: lines.join('\n').trim() };
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}

const root = fileURLToPath(new URL('..', import.meta.url));

if (import.meta.main) {
  const { values, positionals } = parseOptions({
    usage: 'npx node tools/check-release.ts [VERSION | --tag vVERSION] prints why this version must not be released.',
    options: { tag: { type: 'string' } },
    allowPositionals: true,
  });
  const { version: packageVersion } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string };
  // npm passes the new version to its scripts.
  const named = values.tag?.replace(/^v/, '') ?? process.env['npm_new_version'] ?? positionals[0];
  const version = named ?? packageVersion;
  const notes = `${root}.github/releases/${version}.md`;
  const problems = listReleaseProblems({
    version,
    packageVersion,
    changelog: readFileSync(`${root}CHANGELOG.md`, 'utf8'),
    notes: existsSync(notes) ? readFileSync(notes, 'utf8') : undefined,
    onMain: values.tag ? listBranchesWith(values.tag).some(isMain) : git('branch', '--show-current') === 'main',
    tagged: values.tag !== undefined,
    today: new Date().toISOString().slice(0, 10),
  });
  for (const reason of problems) console.error(reason);
  if (problems.length === 0) console.log(`${version} may be released`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

/** Returns the local and remote branches that contain the tag. */
function listBranchesWith(tag: string): string[] {
  if (git('tag', '--list', tag) === '') return [];
  return git('branch', '--all', '--contains', tag, '--format=%(refname:short)').split('\n');
}

function isMain(branch: string): boolean {
  return branch === 'main' || branch.endsWith('/main');
}
