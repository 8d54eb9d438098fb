import type { Problem } from './problem.ts';
import type { Source } from './read-source.ts';
import { isCode, isTest, type TextFile } from './tree.ts';

const VAGUE = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'manager', 'managers', 'misc']);
const UNFINISHED = /\b(TODO|FIXME|XXX|HACK)\b|\bplaceholder\b|\bnot implemented\b/i;
const MACHINE_PATH = /(^|[\s"'`(=:])(\/(home|Users|root|mnt|work|workspace)\/[\w.-]|[A-Z]:\\Users\\)/;
/** Instructions may name /tmp; code asks os.tmpdir(). */
const TEMPORARY_PATH = /(^|[\s"'`(=:])\/tmp\/[\w.-]/;

/** Places in lists and papers that are not in the repository. */
const ELSEWHERE = /\b(pitfall|attack) \d|§ ?\d/i;

/**
 * Names that say nothing, work left undone, tests switched off, paths of one machine, and lists that no reader
 * has.
 */
export function findLeftovers(files: readonly TextFile[], sources: readonly Source[]): Problem[] {
  return [
    ...files.flatMap(vagueNames),
    ...files.flatMap(machinePaths),
    ...files.flatMap(registryHosts),
    ...sources.flatMap(unfinished),
  ];
}

function vagueNames({ path }: TextFile): Problem[] {
  const words = path.split(/[/._-]/).filter((word) => VAGUE.has(word.toLowerCase()));
  return words.map((word) => ({
    path,
    rule: 'words',
    message: `is named "${word}", which says nothing of what it does and gathers everything. Name it after its verb.`,
  }));
}

function machinePaths({ path, text }: TextFile): Problem[] {
  if (path.endsWith('package-lock.json')) return [];
  return text.split('\n').flatMap((content, index) =>
    MACHINE_PATH.test(content) || (isCode(path) && TEMPORARY_PATH.test(content))
      ? [
          {
            path,
            line: index + 1,
            rule: 'machine-paths',
            message: 'names a path of one machine. Derive it from the project, os.tmpdir() or a setting.',
          },
        ]
      : [],
  );
}

function registryHosts({ path, text }: TextFile): Problem[] {
  if (!path.endsWith('package-lock.json') || !/"resolved":\s*"https?:/.test(text)) return [];
  const message =
    'names the host of a registry, which others may not reach. Install ' +
    'with omit-lockfile-registry-resolved=true (.npmrc).';
  return [{ path, rule: 'registry-hosts', message }];
}

function unfinished({ path, comments, literals, switchedOff, syntaxError }: Source): Problem[] {
  const problems: Problem[] = [];
  if (syntaxError) problems.push({ path, rule: 'syntax', message: `does not parse: ${syntaxError}` });
  for (const { text, line } of comments) {
    if (UNFINISHED.test(text))
      problems.push({
        path,
        line,
        rule: 'unfinished',
        message: 'says that something is left to do. Do it now, or open an issue and remove the remark.',
      });
  }
  for (const { text, line } of literals) {
    if (!isTest(path) && !path.startsWith('scripts/house/') && /\b(TODO|FIXME|not implemented)\b/.test(text)) {
      problems.push({
        path,
        line,
        rule: 'unfinished',
        message: 'tells a user that something is missing. Build it, or do not offer it.',
      });
    }
  }
  for (const { text, line } of [...comments, ...literals]) {
    if (ELSEWHERE.test(text))
      problems.push({
        path,
        line,
        rule: 'elsewhere',
        message: 'numbers a list or a paper that is not in the repository. Say what it means instead.',
      });
  }
  for (const line of switchedOff) {
    problems.push({
      path,
      line,
      rule: 'switched-off',
      message:
        'switches a test off or narrows the run to it. A test that does not run proves nothing: mend it or remove it.',
    });
  }
  return [...problems, ...longRemarks(path, comments)];
}

/** Comments say why, in three lines at most; docstrings may be longer. */
function longRemarks(path: string, comments: Source['comments']): Problem[] {
  const problems: Problem[] = [];
  let first = 0;
  let length = 0;
  for (const { text, line, doc, alone } of comments) {
    if (doc || !alone) continue;
    const follows = line === first + length;
    if (!follows) [first, length] = [line, 0];
    const before = length;
    length += text.split('\n').length;
    if (length <= 3 || before > 3) continue;
    problems.push({
      path,
      line: first,
      rule: 'remarks',
      message: 'is a remark of more than three lines. Say why in three, or let the code say it.',
    });
  }
  return problems;
}
