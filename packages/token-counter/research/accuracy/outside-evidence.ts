/**
 * Evidence for rules from public recordings outside the sets. Test fixtures contain responses with usage, and examples
 * in their repositories contain the requests. Each was counted with the rule at its value and is exact. Only facts and
 * numbers are listed. Neither fixtures nor examples are copied.
 */
export interface OutsideEvidence {
  /** Name of the fitted rule. */
  rule: string;
  repository: string;
  /** Tokens of a charge in the recordings. Undefined for a format, which they confirm. */
  tokens?: number;
  /** Number of recorded counts. */
  records: number;
  /** Location in the repository, and the count that the service reported. */
  location: string;
}

const FIXTURES = 'packages/anthropic/src/__fixtures__/';
const createVercelEvidence = (rule: string, records: number, location: string, tokens?: number): OutsideEvidence => ({
  rule,
  repository: 'vercel/ai',
  records,
  location: `${FIXTURES}${location}`,
  ...(tokens !== undefined && { tokens }),
});

const PYDANTIC = 'pydantic/pydantic-ai';
const CASSETTES = 'tests/models/cassettes/';

export const OUTSIDE_EVIDENCE: readonly OutsideEvidence[] = [
  {
    rule: 'start55',
    repository: 'can1357/oh-my-pi',
    tokens: 2,
    records: 2,
    location: 'its measured frames: 8 for Opus 5.5 and Fable 5.1, where Opus 5 and Fable 5 have 6',
  },
  {
    rule: 'interleavedThinking',
    repository: 'braintrustdata/braintrust-sdk-javascript',
    tokens: 148,
    records: 22,
    location: 'e2e/scenarios/flue-instrumentation/__cassettes__: 2,194 to 2,867 (Sonnet 4.5)',
  },
  {
    rule: 'emptyResult',
    repository: PYDANTIC,
    tokens: 15,
    records: 1,
    location: `${CASSETTES}test_anthropic/test_document_as_binary_content_tool_response.yaml: 2,228 (Sonnet 4.5)`,
  },
  {
    rule: 'toolRemoval',
    repository: PYDANTIC,
    tokens: 22,
    records: 2,
    location: `${CASSETTES}test_anthropic_mid_conversation_system/test_native_tool_availability_delta.yaml: 616, 905`,
  },
  createVercelEvidence(
    'listsReferences',
    3,
    'anthropic-tool-search-bm25.1: 1,040; second calls of 931 and 932 (Sonnet 4.5)',
  ),
  createVercelEvidence('memory_* tokens', 1, 'anthropic-memory-20250818.1: 1,614 (Sonnet 4.5)', 1069),
  createVercelEvidence('compactionFrame', 2, 'anthropic-compaction.1: 682, and 612 as a stream (Opus 4.6)', 85),
  createVercelEvidence(
    'tool_search_tool_bm25* tokens',
    1,
    'anthropic-tool-search-bm25.1: first call 699 (Sonnet 4.5)',
    188,
  ),
  createVercelEvidence(
    'tool_search_tool_* tokens',
    1,
    'anthropic-tool-search-regex.1: first call 722 (Sonnet 4.5)',
    213,
  ),
  createVercelEvidence(
    'code_execution_* tokens',
    1,
    'anthropic-code-execution-20250825.1: first call 2,263 (Sonnet 4.5)',
    1740,
  ),
  createVercelEvidence('web_search_* tokens', 1, 'anthropic-web-search-tool.1: first call 2,037 (Sonnet 4)', 1710),
  createVercelEvidence('web_fetch_* tokens', 1, 'anthropic-web-fetch-tool.1: first call 868 (Sonnet 4)', 525),
];

/**
 * Tokens of the sentence about parallel calls as a paragraph of the prompt, by our own count (v3) of public copies of
 * the tool prompt. The sentence is not ours and therefore not included. Without the sentence, such a copy has the
 * published 313 tokens of an automatic choice.
 */
export const PARALLEL_ADVICE_TOKENS = 44;
