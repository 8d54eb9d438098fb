/** The fitted rules of the counter, with a function to change each and the fallback value without its records. */
import { MODEL_ROWS } from '../../src/models/models-data.ts';
import { FITTED_RULES, type FittedRules } from '../../src/prompt/fitted.ts';
import { PARALLEL_ADVICE_TOKENS } from './outside-evidence.ts';

export interface FittedRule {
  name: string;
  /** Tokens of the rule, or `undefined` for a format that is on. */
  tokens?: number;
  /** Tokens if no record shows the rule: a published value, that of a related rule, or 0. */
  fallbackTokens: number;
  /** Minimum number of remaining repositories to fit the rule together with others (default 1). */
  minRepositories?: number;
  /** Returns the rules with `amount` more tokens in this rule, or with the format off. */
  withChange: (amount: number) => FittedRules;
}

/** Keys of a value in the rules. */
type Path = readonly string[];

function getValueAt(path: Path): unknown {
  return path.reduce((value: unknown, key) => (value as Record<string, unknown>)[key], FITTED_RULES);
}

/** Returns a copy of `value` with another value at `path`. */
function replace<T>(value: T, [key, ...rest]: Path, amount: unknown): T {
  if (key === undefined) return amount as T;
  const inner = replace((value as Record<string, unknown>)[key], rest, amount);
  return (Array.isArray(value) ? value.with(Number(key), inner) : { ...value, [key]: inner }) as T;
}

const replaceAll = (paths: readonly Path[], amount: unknown): FittedRules =>
  paths.reduce((rules, path) => replace(rules, path, amount), FITTED_RULES);

/** Creates a rule for a charge, which has several paths if models share it. */
function tokenRule(name: string, paths: readonly Path[], fallbackTokens = 0): FittedRule {
  const tokens = getValueAt(paths[0]!) as number;
  return { name, tokens, fallbackTokens, withChange: (amount) => replaceAll(paths, tokens + amount) };
}

/**
 * Creates a rule for a format that one generation introduced and later ones inherit. It is on for all of them or for
 * none.
 */
function formatRule(key: GenerationFlag): FittedRule {
  const enabledGenerations = Object.entries(FITTED_RULES.generations).filter(([, rules]) => rules[key]);
  const names = enabledGenerations.map(([generation]) => generation).toSorted((a, b) => Number(a) - Number(b));
  const paths = enabledGenerations.map(([generation]) => ['generations', generation, key]);
  return { name: `${key}, ${names.join(', ')}`, fallbackTokens: 0, withChange: () => replaceAll(paths, false) };
}

type GenerationFlag = (typeof GENERATION_FLAGS)[number];
const GENERATION_FLAGS = [
  'trimsSystem',
  'documentOnNewLine',
  'breakAfterResults',
  'breakBeforeSystem',
  'rawTools',
] as const;

/**
 * Minimum repositories: there are as many charges as different requests with search results, of two repositories. One
 * repository shows only a total per result, 66 or 67.
 */
const SEARCH_RESULTS: Readonly<Record<string, number>> = {
  searchResultFrame: 67,
  searchResults: 0,
  instructionsForResults: 0,
};

/** Recorded values of built-in tools, with the published or older values that they replace. */
const BUILTIN_TOOL_VALUES: readonly [string, string, number][] = [
  ['computer_20251124', 'tokens', 1315],
  ['computer_', 'tokens', 735],
  ['web_search_', 'tokens', 0],
  ['web_search_', 'generation3Tokens', 0],
  ['web_search_', 'v47Tokens', 0],
  ['web_search_', 'opus48Tokens', 0],
  ['web_fetch_', 'tokens', 0],
  ['web_fetch_', 'v47Tokens', 0],
  ['code_execution_20250522', 'tokens', 0],
  ['code_execution_', 'tokens', 0],
  ['memory_', 'tokens', 700],
  ['tool_search_tool_bm25', 'tokens', 0],
  ['tool_search_tool_bm25', 'v47Tokens', 0],
  ['tool_search_tool_', 'tokens', 0],
];

/** Models whose forced tool prompt is from the old table, which omits some tokens. */
const OLD_TABLE_MODELS = ['claude-3-haiku', 'claude-3-opus', 'claude-3-5-sonnet-20240620', 'claude-3-sonnet'];
const MISSING_IN_OLD_TABLE = 15;

/** Returns the paths of the tool prompt that a model shares with others. */
function listToolPromptPaths(id: string, choice: 'auto' | 'forced'): Path[] {
  const shared = MODEL_ROWS.find((row) => row.id === id)!.toolPrompt;
  return MODEL_ROWS.filter(({ toolPrompt }) => toolPrompt === shared).map((row) => ['toolPrompts', row.id, choice]);
}

/** Returns every rule whose value is from recorded requests instead of the provider's documentation. */
export function listFittedRules(): FittedRule[] {
  const rules = Object.keys(FITTED_RULES.overheads).map((key): FittedRule => ({
    ...tokenRule(key, [['overheads', key]], SEARCH_RESULTS[key]),
    ...(key in SEARCH_RESULTS && { minRepositories: 2 }),
  }));
  rules.push(...GENERATION_FLAGS.map(formatRule));
  for (const key of Object.keys(FITTED_RULES.format))
    rules.push({ name: key, fallbackTokens: 0, withChange: () => replaceAll([['format', key]], false) });
  for (const [generation, { serialTools }] of Object.entries(FITTED_RULES.generations)) {
    const path = ['generations', generation, 'serialTools'];
    if (serialTools.auto !== 0)
      rules.push(tokenRule(`disable_parallel_tool_use, auto, ${generation}`, [[...path, 'auto']]));
    if (serialTools.advice !== 0) {
      const name = `advice on parallel calls, forced, ${generation}`;
      rules.push(tokenRule(name, [[...path, 'advice']], PARALLEL_ADVICE_TOKENS));
    }
  }
  const addTable = (key: keyof FittedRules, formatName: (entry: string) => string, fallbackTokens = 0): void => {
    for (const entry of Object.keys(FITTED_RULES[key]).filter((each) => each !== '5.5')) {
      // The 5.5 models inherit the values of the 5 series.
      const entries = entry === '5' ? ['5', '5.5'] : [entry];
      rules.push(
        tokenRule(
          formatName(entry),
          entries.map((each) => [key, each]),
          fallbackTokens,
        ),
      );
    }
  };
  addTable('thinkingEnabled', (generation) => `thinking enabled, ${generation}`, 29);
  addTable('citationInstructions', (generation) => `citation instructions, ${generation}`, 476);
  addTable('sentenceMarks', (kind) => `marks of a cited ${kind}`, 16);
  addTable('documentInResult', (place) => `document in a result, ${place}`);
  for (const [type, key, fallbackTokens] of BUILTIN_TOOL_VALUES) {
    const index = FITTED_RULES.builtinTools.findIndex((each) => each.typePrefix === type);
    rules.push(tokenRule(`${type}* ${key}`, [['builtinTools', `${index}`, key]], fallbackTokens));
  }
  rules.push(tokenRule('tool prompt of claude-3-opus, auto', listToolPromptPaths('claude-3-opus', 'auto'), 530));
  rules.push(
    tokenRule('tool prompt of Sonnet 3.5 and 3.7, forced', listToolPromptPaths('claude-3-7-sonnet', 'forced'), 315),
  );
  rules.push(missingInOldTable());
  return rules;
}

/** Returns the rule for the value that is a part of several tool prompts. */
function missingInOldTable(): FittedRule {
  return {
    name: 'missing in the old table of tool prompts, forced',
    tokens: MISSING_IN_OLD_TABLE,
    fallbackTokens: 0,
    withChange: (amount) =>
      OLD_TABLE_MODELS.reduce((rules, id) => {
        const path = ['toolPrompts', id, 'forced'];
        return replace(rules, path, (getValueAt(path) as number) + amount);
      }, FITTED_RULES),
  };
}
