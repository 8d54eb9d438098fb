import type { Problem } from './problem.ts';
import { isGenerated, type TextFile } from './tree.ts';

/** Words that are no longer said -> the standard term; inside names (`reportPatience`, `use-unhurried`) as well. */
const RETIRED: Readonly<Record<string, string>> = {
  wish: 'job request, or request',
  wishes: 'job requests, or requests',
  wished: 'requested',
  stranger: 'unknown symbol, untrusted host, or another member',
  strangers: 'unknown symbols, untrusted hosts, or other members',
  patience: 'timeout',
  patient: 'timeout',
  patiently: 'within its timeout',
  unhurried: 'deferred',
  dawdle: 'be slow, or delay',
  dawdles: 'is slow, or delays',
  dawdled: 'was slow, or delayed',
  dawdling: 'slow, or delayed',
  possessions: 'holdings, or the state of a portfolio',
  whoever: 'the subject: the caller, the holder of the lock, each member who …',
  his: 'their',
  him: 'them',
  himself: 'themselves',
};

/** Phrases, also as the parts of a name (`isHeldBack`, `market_look`) -> the standard term. */
const PHRASES: readonly [pattern: RegExp, instead: string][] = [
  [/\b(?:came|comes?|coming) due\b/gi, 'overdue'],
  [/\b(?:held|holds?|holding) back\b/gi, 'quarantined (of data), or delayed (of a request)'],
  [/\b(?:said|says) (?:so )?for a week\b/gi, 'stale'],
  [/\bmarket looks?\b|\blooks? at the (?:whole )?market\b/gi, 'market-wide scan'],
  [
    /\b(?:type|interface) Asked\b|[:<(,{&|] ?Asked\b(?! (?:for|to|by|again|once|about|of|after|in|with))/g,
    'RequestContext',
  ],
  [/\b(?:un)?folded closes\b|\b(?:un)?fold closes\b|\bcloses? (?:in )?steps\b|\bsteps of\b(?=\()/gi, 'delta encoding'],
];

/** Where words are read; migrations are never changed, and data are no words of ours. */
const CLEAN = /^(bench|bin|cli|docs|scripts|test|src)\/|^[^/]+\.(md|ts)$|^\.env\.example$/;

/** Names that others rely on, whatever they say -> why. */
const NAMES: Readonly<Record<string, string>> = {
  market_data_prices_held_back: "a metric's name, which operators' dashboards read",
};

/** Texts that may say a retired word -> why. */
const LEGITIMATE: readonly [path: RegExp, why: string][] = [
  [/^scripts\/house\/retired-words\.ts$/, 'it lists them'],
  [/^docs\/glossary\.md$/, 'its last column lists them'],
  [/^test\/regression\/requests\//, 'prose that is counted; another word is another count'],
  [/^docs\/decisions\/001[23]-/, 'records of an encoding that is gone, with the name of its parameter'],
];

/** Private words where every engineer knows a term; the message says which. */
export function findRetiredWords(files: readonly TextFile[]): Problem[] {
  return files
    .filter(({ path, text }) => CLEAN.test(path) && !isGenerated(text) && !LEGITIMATE.some(([at]) => at.test(path)))
    .flatMap(({ path, text }) => [
      ...wordsIn(path).map((found) => problem(path, undefined, found)),
      ...text.split('\n').flatMap((line, index) => wordsIn(line).map((found) => problem(path, index + 1, found))),
    ]);
}

function wordsIn(text: string): [word: string, instead: string][] {
  const ours = Object.keys(NAMES).reduce((rest, name) => rest.replaceAll(name, ''), text);
  const apart = ours.replace(/(?<=[a-z])(?=[A-Z])|[_-]/g, ' ');
  const words = (apart.match(/[a-z]+/gi) ?? []).filter((word) => Object.hasOwn(RETIRED, word.toLowerCase()));
  const phrases = PHRASES.flatMap(([pattern, instead]) =>
    [...apart.matchAll(pattern)].map(([phrase]): [string, string] => [phrase, instead]),
  );
  return [...words.map((word): [string, string] => [word, RETIRED[word.toLowerCase()]!]), ...phrases];
}

const problem = (path: string, line: number | undefined, [word, instead]: [string, string]): Problem => ({
  path,
  ...(line === undefined ? {} : { line }),
  rule: 'words',
  message: `says "${word}". The standard term is: ${instead} (docs/glossary.md).`,
});
