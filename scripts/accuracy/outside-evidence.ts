/**
 * What public recordings outside the sets ask of a rule. Their test fixtures hold answers with usage, the requests
 * stand in examples beside them; each was counted with the rule at its value and came out exact. Facts and figures
 * only: neither fixture nor example is copied.
 */
import { NAMESPACE } from '../../src/token-counting/counter/request/tool-calls.ts';
import { countConcatenated } from '../../src/token-counting/counter/text/index.ts';

export interface OutsideEvidence {
  /** Name of the fitted rule. */
  rule: string;
  repository: string;
  /** What the recordings ask of a charge; absent for a form, which they hold. */
  tokens?: number;
  /** How many recorded counts say so. */
  records: number;
  /** Where they stand in the repository, and what the service reported. */
  where: string;
}

const FIXTURES = 'packages/anthropic/src/__fixtures__/';
const vercel = (rule: string, records: number, where: string, tokens?: number): OutsideEvidence => ({
  rule,
  repository: 'vercel/ai',
  records,
  where: `${FIXTURES}${where}`,
  ...(tokens !== undefined && { tokens }),
});

export const OUTSIDE: readonly OutsideEvidence[] = [
  vercel('listsReferences', 3, 'anthropic-tool-search-bm25.1: 1,040; second calls of 931 and 932 (Sonnet 4.5)'),
  vercel('memory_* tokens', 1, 'anthropic-memory-20250818.1: 1,614 (Sonnet 4.5)', 1069),
  vercel('compactionFrame', 2, 'anthropic-compaction.1: 682, and 612 as a stream (Opus 4.6)', 85),
  vercel('tool_search_tool_bm25* tokens', 1, 'anthropic-tool-search-bm25.1: first call 699 (Sonnet 4.5)', 188),
  vercel('tool_search_tool_* tokens', 1, 'anthropic-tool-search-regex.1: first call 722 (Sonnet 4.5)', 213),
  vercel('code_execution_* tokens', 1, 'anthropic-code-execution-20250825.1: first call 2,263 (Sonnet 4.5)', 1740),
  vercel('web_search_* tokens', 1, 'anthropic-web-search-tool.1: first call 2,037 (Sonnet 4)', 1710),
  vercel('web_fetch_* tokens', 1, 'anthropic-web-fetch-tool.1: first call 868 (Sonnet 4)', 525),
];

/**
 * The sentence about parallel calls that public copies of the tool prompt hold. Without it such a copy costs the 313
 * tokens that the provider publishes for an automatic choice.
 */
const PARALLEL_ADVICE =
  'If you intend to call multiple tools and there are no dependencies between the calls, make all of the independent ' +
  `calls in the same <${NAMESPACE}function_calls></${NAMESPACE}function_calls> block.`;

/** What that sentence costs as a paragraph of the prompt. */
export function priceOfParallelAdvice(): number {
  const price = (...parts: string[]): number => countConcatenated(parts, 'v3');
  return price('.', `\n\n${PARALLEL_ADVICE}`, '\n\nHuman:') - price('.', '\n\nHuman:');
}
