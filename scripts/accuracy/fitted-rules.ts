/** The fitted rules of the counter, each with a way to change it and what would stand there without its records. */
import { MODEL_ROWS } from '../../src/token-counting/counter/models-data.ts';
import { BUILTIN_TOOLS } from '../../src/token-counting/counter/request/builtin-tools.ts';
import { CITATION_INSTRUCTIONS, SENTENCE_MARKS } from '../../src/token-counting/counter/request/citations.ts';
import { FITTED, FORMS } from '../../src/token-counting/counter/request/fitted.ts';
import { GENERATION_RULES } from '../../src/token-counting/counter/request/generation-rules.ts';
import { THINKING_ENABLED } from '../../src/token-counting/counter/request/write-parameters.ts';
import { DOCUMENT_IN_RESULT } from '../../src/token-counting/counter/request/write-result-content.ts';
import { DEFERRED_TOOLS } from '../../src/token-counting/counter/request/write-tools.ts';

export interface FittedRule {
  name: string;
  /** Tokens that the rule charges, or `undefined` where it is a form that is on. */
  tokens?: number;
  /** Charge where no record shows the rule: a published figure, a relative's, or nothing. */
  otherwise: number;
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
  'mergesWithStop',
  'breakAfterResults',
  'breakBeforeSystem',
  'rawTools',
] as const;

/** Recorded figures of typed tools, and the published or older one that each took the place of. */
const TYPED_TOOLS: readonly [string, string, number][] = [
  ['computer_20251124', 'tokens', 1319],
  ['computer_', 'tokens', 735],
  ['web_search_', 'tokens', 0],
  ['web_search_', 'laterTokens', 0],
  ['web_search_', 'opus48Tokens', 0],
  ['web_fetch_', 'tokens', 0],
  ['web_fetch_', 'laterTokens', 0],
  ['code_execution_20250522', 'tokens', 0],
  ['memory_', 'tokens', 700],
];

/** Tool prompts that differ from the published table. */
const PROMPTS: readonly [string, 'auto' | 'forced', number][] = [
  ['claude-3-7-sonnet', 'forced', 315],
  ['claude-3-5-sonnet', 'forced', 315],
  ['claude-3-opus', 'auto', 530],
  ['claude-3-opus', 'forced', 281],
];

/** Every rule whose figure comes from recorded requests and not from the provider's documentation. */
export function fittedRules(): FittedRule[] {
  const rules = Object.keys(FITTED).map((key) => charge(key, FITTED, key));
  rules.push(...GENERATION_FORMS.map(form));
  for (const key of Object.keys(FORMS) as (keyof typeof FORMS)[]) rules.push(toggle(key, FORMS, key, true, false));
  const opus48 = MODEL_ROWS.find(({ id }) => id === 'claude-opus-4-8');
  if (opus48) rules.push(toggle('blanks at ends count on Opus 4.8', opus48, 'text', opus48.text, 'v5'));
  for (const [generation, of] of Object.entries(GENERATION_RULES)) {
    rules.push(charge(`document after content, ${generation}`, of as unknown as Numbers, 'documentAfter'));
    of.serialTools = { ...of.serialTools };
    for (const key of ['auto', 'forced'] as const)
      if (of.serialTools[key] !== 0)
        rules.push(charge(`disable_parallel_tool_use, ${key}, ${generation}`, of.serialTools, key));
  }
  for (const generation of Object.keys(THINKING_ENABLED))
    rules.push(charge(`thinking enabled, ${generation}`, THINKING_ENABLED, generation, 29));
  for (const generation of Object.keys(CITATION_INSTRUCTIONS))
    rules.push(charge(`citation instructions, ${generation}`, CITATION_INSTRUCTIONS, generation, 476));
  for (const kind of Object.keys(SENTENCE_MARKS))
    rules.push(charge(`marks of a cited ${kind}`, SENTENCE_MARKS, kind, 16));
  for (const place of Object.keys(DOCUMENT_IN_RESULT))
    rules.push(charge(`document in a result, ${place}`, DOCUMENT_IN_RESULT, place));
  for (const model of Object.keys(DEFERRED_TOOLS))
    rules.push(charge(`deferred tools, ${model}`, DEFERRED_TOOLS, model));
  for (const [type, key, otherwise] of TYPED_TOOLS) {
    const tool = BUILTIN_TOOLS.find((each) => each.type === type) as unknown as Numbers;
    rules.push(charge(`${type}* ${key}`, tool, key, otherwise));
  }
  for (const [id, choice, otherwise] of PROMPTS) {
    const model = MODEL_ROWS.find((each) => each.id === id);
    if (model) rules.push(charge(`tool prompt of ${id}, ${choice}`, model.toolPrompt, choice, otherwise));
  }
  return rules;
}
