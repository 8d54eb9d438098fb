/** The fitted rules of the counter, each with a way to change it and what would stand there without its records. */
import { MODEL_ROWS } from '../../src/models/models-data.ts';
import { BUILTIN_TOOLS } from '../../src/prompt/builtin-tools.ts';
import { CITATION_INSTRUCTIONS, SENTENCE_MARKS } from '../../src/prompt/citations.ts';
import { FITTED, FORMS } from '../../src/prompt/fitted.ts';
import { GENERATION_RULES } from '../../src/prompt/generation-rules.ts';
import { THINKING_ENABLED } from '../../src/prompt/write-parameters.ts';
import { DOCUMENT_IN_RESULT } from '../../src/prompt/write-result-content.ts';
import { PARALLEL_ADVICE_TOKENS } from './outside-evidence.ts';

export interface FittedRule {
  name: string;
  /** Tokens that the rule charges, or `undefined` where it is a form that is on. */
  tokens?: number;
  /** Charge where no record shows the rule: a published figure, a relative's, or nothing. */
  otherwise: number;
  /** Repositories that must be left to fit it, where it was fitted along with others: 1 unless it says more. */
  needs?: number;
  /** Charges `by` tokens more, or turns the form off; returns what puts it back. */
  change: (by: number) => () => void;
}

type Numbers = Record<string, number>;

function charge(name: string, table: Numbers, key: string, otherwise = 0): FittedRule {
  const tokens = table[key] ?? 0;
  return {
    name,
    tokens,
    otherwise,
    change: (by) => {
      table[key] = tokens + by;
      return () => void (table[key] = tokens);
    },
  };
}

/** One figure that several tables hold. */
function shared(name: string, places: readonly (readonly [Numbers, string])[], otherwise: number): FittedRule {
  const charges = places.map(([table, key]) => charge(name, table, key));
  return {
    name,
    tokens: otherwise,
    otherwise: 0,
    change: (by) => {
      const undo = charges.map((each) => each.change(by));
      return () => undo.forEach((each) => each());
    },
  };
}

/** A form that one generation brought and the later ones took over: it is on for all of them, or for none. */
function form(key: Form): FittedRule {
  const on = Object.entries(GENERATION_RULES).filter(([, rules]) => rules[key]);
  const names = on.map(([generation]) => generation).toSorted((a, b) => Number(a) - Number(b));
  return {
    name: `${key}, ${names.join(', ')}`,
    otherwise: 0,
    change: () => {
      for (const [, rules] of on) rules[key] = false;
      return () => {
        for (const [, rules] of on) rules[key] = true;
      };
    },
  };
}

function toggle<Key extends string, Value>(
  name: string,
  table: Record<Key, Value>,
  key: Key,
  on: Value,
  off: Value,
): FittedRule {
  return {
    name,
    otherwise: 0,
    change: () => {
      table[key] = off;
      return () => void (table[key] = on);
    },
  };
}

type Form = (typeof GENERATION_FORMS)[number];
const GENERATION_FORMS = [
  'trimsSystem',
  'documentOnNewLine',
  'breakAfterResults',
  'breakBeforeSystem',
  'rawTools',
] as const;

/**
 * As many charges as there are different requests with search results, of two repositories: one of them alone shows a
 * single charge for each result, 66 or 67.
 */
const SEARCH_RESULTS: Numbers = { searchResultFrame: 67, searchResults: 0, instructionsForResults: 0 };

/** Recorded figures of typed tools, and the published or older one that each took the place of. */
const TYPED_TOOLS: readonly [string, string, number][] = [
  ['computer_20251124', 'tokens', 1315],
  ['computer_', 'tokens', 735],
  ['web_search_', 'tokens', 0],
  ['web_search_', 'laterTokens', 0],
  ['web_search_', 'opus48Tokens', 0],
  ['web_fetch_', 'tokens', 0],
  ['web_fetch_', 'laterTokens', 0],
  ['code_execution_20250522', 'tokens', 0],
  ['code_execution_', 'tokens', 0],
  ['memory_', 'tokens', 700],
  ['tool_search_tool_bm25', 'tokens', 0],
  ['tool_search_tool_bm25', 'laterTokens', 0],
  ['tool_search_tool_', 'tokens', 0],
];

/** Models whose forced tool prompt is the old table's and what that leaves out. */
const OF_OLD_TABLE = ['claude-3-haiku', 'claude-3-opus', 'claude-3-5-sonnet-20240620', 'claude-3-sonnet'];
const MISSING_IN_OLD_TABLE = 15;

/** Every rule whose figure comes from recorded requests and not from the provider's documentation. */
export function fittedRules(): FittedRule[] {
  const rules = Object.keys(FITTED).map((key): FittedRule => ({
    ...charge(key, FITTED, key, SEARCH_RESULTS[key]),
    ...(key in SEARCH_RESULTS && { needs: 2 }),
  }));
  rules.push(...GENERATION_FORMS.map(form));
  for (const key of Object.keys(FORMS) as (keyof typeof FORMS)[]) rules.push(toggle(key, FORMS, key, true, false));
  for (const [generation, of] of Object.entries(GENERATION_RULES)) {
    of.serialTools = { ...of.serialTools };
    if (of.serialTools.auto !== 0)
      rules.push(charge(`disable_parallel_tool_use, auto, ${generation}`, of.serialTools, 'auto'));
    if (of.serialTools.advice !== 0)
      rules.push(
        charge(`advice on parallel calls, forced, ${generation}`, of.serialTools, 'advice', PARALLEL_ADVICE_TOKENS),
      );
  }
  for (const generation of Object.keys(THINKING_ENABLED))
    rules.push(charge(`thinking enabled, ${generation}`, THINKING_ENABLED, generation, 29));
  for (const generation of Object.keys(CITATION_INSTRUCTIONS))
    rules.push(charge(`citation instructions, ${generation}`, CITATION_INSTRUCTIONS, generation, 476));
  for (const kind of Object.keys(SENTENCE_MARKS))
    rules.push(charge(`marks of a cited ${kind}`, SENTENCE_MARKS, kind, 16));
  for (const place of Object.keys(DOCUMENT_IN_RESULT))
    rules.push(charge(`document in a result, ${place}`, DOCUMENT_IN_RESULT, place));
  for (const [type, key, otherwise] of TYPED_TOOLS) {
    const tool = BUILTIN_TOOLS.find((each) => each.type === type) as unknown as Numbers;
    rules.push(charge(`${type}* ${key}`, tool, key, otherwise));
  }
  const promptOf = (id: string): Numbers => MODEL_ROWS.find((each) => each.id === id)?.toolPrompt ?? {};
  rules.push(charge('tool prompt of claude-3-opus, auto', promptOf('claude-3-opus'), 'auto', 530));
  // Both rows hold the same object.
  rules.push(charge('tool prompt of Sonnet 3.5 and 3.7, forced', promptOf('claude-3-7-sonnet'), 'forced', 315));
  const old = OF_OLD_TABLE.map((id) => [promptOf(id), 'forced'] as const);
  rules.push(shared('missing in the old table of tool prompts, forced', old, MISSING_IN_OLD_TABLE));
  return rules;
}
