import { basename, dirname, join } from 'node:path/posix';
import { parseSync } from 'vite';

export interface SourceFile {
  /** Path from the repository's root. */
  path: string;
  text: string;
}

/** Paths and names that pages and comments use as placeholders, or that belong to others. */
const FOREIGN = new Set(['file.ts', 'prometheus.yml', 'tally.mjs', 'VERSION.md', 'YYYYMMDD_NN_name.sql', 'eToro']);

// A name that begins with a dot or hyphen is a suffix, as in `-process.ts`.
const PATH =
  /(?<![\w./:{}@-])(?:\.{1,2}\/)*(?:[\w@.-]+\/)*\w[\w@.-]*\.(?:ts|tsx|mjs|sql|md|yaml|yml|sh|css)\b(?![\w/*])/g;
const NAME = /(?<![\w./\\:-])[a-z]+(?:[A-Z][a-z0-9]*)+\b/g;

/**
 * Finds files and camel-case names that pages and comments mention and that the code does not have. Pages are Markdown
 * files. A name counts as known if any code contains it outside comments. Returns `path:line: message`.
 */
export function findStaleReferences(
  pages: readonly SourceFile[],
  code: readonly SourceFile[],
  paths: readonly string[],
): string[] {
  const known = new Set(paths);
  const fileNames = new Set(paths.map((path) => basename(path)));
  const names = new Set<string>();
  const texts: (SourceFile & { line: number })[] = pages.map((page) => ({ ...page, line: 1 }));
  for (const file of code) {
    const { comments, rest } = splitComments(file);
    for (const [name] of rest.matchAll(/[A-Za-z_$][\w$]*/g)) names.add(name);
    texts.push(...comments);
  }
  const isPath = (path: string, from: string): boolean => {
    if (!path.includes('/')) return fileNames.has(path);
    const withoutDots = path.replace(/^(?:\.{1,2}\/)+/, '');
    return (
      known.has(join(dirname(from), path)) ||
      paths.some((name) => name === withoutDots || name.endsWith(`/${withoutDots}`))
    );
  };
  return texts.flatMap(({ path: from, text, line }) => {
    const report = (match: RegExpMatchArray, kind: string) =>
      `${from}:${line + text.slice(0, match.index).split('\n').length - 1}: ${match[0]} is no ${kind}`;
    return [
      ...[...text.matchAll(PATH)]
        .filter(([path]) => !isForeign(path) && !isPath(path, from))
        .map((match) => report(match, 'file')),
      ...[...text.matchAll(NAME)]
        .filter(([name]) => !isForeign(name) && !names.has(name))
        .map((match) => report(match, 'name in the code')),
    ];
  });
}

const isForeign = (reference: string): boolean => FOREIGN.has(basename(reference));

/** Separates the comments of a file from its code. Files that are not TypeScript or JavaScript have none here. */
function splitComments({ path, text }: SourceFile): { comments: (SourceFile & { line: number })[]; rest: string } {
  if (path.endsWith('.sql'))
    return split(
      path,
      text,
      [...text.matchAll(/--.*$/gm)].map(({ index, 0: comment }) => ({ start: index, end: index + comment.length })),
    );
  if (!/\.(ts|tsx|mjs)$/.test(path)) return { comments: [], rest: text };
  const { comments, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path} does not parse: ${errors[0].message}`);
  return split(path, text, comments);
}

function split(path: string, text: string, ranges: readonly { start: number; end: number }[]) {
  let rest = '';
  let end = 0;
  const comments = ranges.map((range) => {
    rest += `${text.slice(end, range.start)} `;
    end = range.end;
    return { path, text: text.slice(range.start, range.end), line: text.slice(0, range.start).split('\n').length };
  });
  return { comments, rest: rest + text.slice(end) };
}
