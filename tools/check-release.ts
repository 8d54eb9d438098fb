/**
 * The guard of a release. `npm version <new version>` runs it before anything is changed; the release workflow runs it
 * with `--tag v1.2.3`. It prints each reason against in a sentence, and ends with 1 where there is one.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** What the guard looks at. */
export interface ReleaseState {
  version: string;
  /** Of `package.json`: before `npm version` the last release's, at a tag the new one. */
  packageVersion: string;
  changelog: string;
  /** Text of `docs/releases/<version>.md`; `undefined` where there is none. */
  notes: string | undefined;
  /** Whether main is checked out, or for a tag, whether its commit is on main. */
  onMain: boolean;
  /** Set where a tag is released rather than made. */
  tagged: boolean;
  /** Today as YYYY-MM-DD. */
  today: string;
}

/** Reasons against releasing `state.version`, in sentences that say what to do; none where it may be released. */
export function reasonsAgainst(state: ReleaseState): string[] {
  const { version, packageVersion, changelog, notes, onMain, tagged, today } = state;
  const reasons: string[] = [];
  if (!/^\d+\.\d+\.\d+$/.test(version))
    return [`"${version}" is no version to release: name three numbers, such as 0.2.0.`];
  if (!onMain) reasons.push('A release is cut from main: switch to it, and take what others have added.');
  if (tagged && packageVersion !== version)
    reasons.push(`The tag says ${version}, package.json ${packageVersion}: let npm version make both.`);
  const unreleased = sectionOf(changelog, 'Unreleased');
  if (unreleased === undefined) reasons.push('CHANGELOG.md has no section [Unreleased]: add an empty one at the top.');
  else if (unreleased.text !== '')
    reasons.push(`CHANGELOG.md still has lines under [Unreleased]: move them under [${version}], with the date.`);
  const section = sectionOf(changelog, version);
  if (!section?.text) reasons.push(`CHANGELOG.md says nothing under [${version}]: write what one must know.`);
  else if (!/^\d{4}-\d{2}-\d{2}$/.test(section.date) || section.date > today)
    reasons.push(`CHANGELOG.md gives [${version}] no date up to today: write "## [${version}] - ${today}".`);
  if (!notes?.includes(version))
    reasons.push(`docs/releases/${version}.md is not there or does not name the version: write the tag's notes.`);
  return reasons;
}

/** A section of second level: the date behind its name, and what stands under it. */
function sectionOf(changelog: string, name: string): { date: string; text: string } | undefined {
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
  const { values } = parseArgs({ options: { tag: { type: 'string' } } });
  // npm tells its scripts which version it is about to make.
  const version = values.tag?.replace(/^v/, '') ?? process.env['npm_new_version'] ?? '';
  const notes = `${root}docs/releases/${version}.md`;
  const { version: packageVersion } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string };
  const reasons = reasonsAgainst({
    version,
    packageVersion,
    changelog: readFileSync(`${root}CHANGELOG.md`, 'utf8'),
    notes: existsSync(notes) ? readFileSync(notes, 'utf8') : undefined,
    onMain: values.tag ? containing(values.tag).some(isMain) : git('branch', '--show-current') === 'main',
    tagged: values.tag !== undefined,
    today: new Date().toISOString().slice(0, 10),
  });
  for (const reason of reasons) console.error(reason);
  if (reasons.length === 0) console.log(`${version} may be released`);
  process.exitCode = reasons.length > 0 ? 1 : 0;
}

/** Branches, those of remotes too, whose history has the tag; none where there is no such tag. */
function containing(tag: string): string[] {
  if (git('tag', '--list', tag) === '') return [];
  return git('branch', '--all', '--contains', tag, '--format=%(refname:short)').split('\n');
}

function isMain(branch: string): boolean {
  return branch === 'main' || branch.endsWith('/main');
}
