/**
 * Rules that were fitted on recorded requests, as frozen data for the functions that write the prompt.
 * docs/reference/accuracy.md lists for each rule the matching records, the contradicting records and the sources.
 */
import type { Generation, ModelRow } from '../models/model-row.ts';
import { MODEL_ROWS } from '../models/models-data.ts';
import { BUILTIN_TOOLS, type BuiltinTool } from './builtin-tool-rows.ts';
import { GENERATION_RULES, type GenerationRules } from './generation-rules.ts';

/** Tokens that no text explains. */
const OVERHEADS = {
  /** Tokens around a document (12 text documents, 64 PDFs). */
  documentFrame: 36,
  /** Tokens around a document in the newer vocabulary, whose first sign does not merge with a role marker. */
  documentFrameV47: 38,
  /** Tokens around the title in addition to its tag, and around the context (no evidence, value of the title). */
  titleFrame: 5,
  /** Tokens that a cited document saves at its title. */
  citedTitle: -1,
  /** Tokens around the sentences of a cited page. */
  citedPage: 7,
  /** Tokens of text that follows a text document in its message (3 records). */
  textAfter: 2,
  /** Tokens around an image in a message (67 of 68 recorded images). */
  imageFrame: 2,
  /** Tokens of media in a result (18 of 18 recorded results). */
  mediaResult: 2,
  imageInResult: 13,
  /** Tokens of each text of a result that also has media. */
  textBesideMedia: 6,
  /** Tokens of adaptive thinking on Opus 4.6. Other models and a forced tool choice have 0. */
  adaptiveOpus46: 17,
  /**
   * Additional tokens of a thinking budget with tools and the header for thinking between calls (24 requests of two
   * sources to Sonnet 4.5 and 4). Without tools there are none (one request), nor without a budget (49 requests).
   */
  interleavedThinking: 148,
  /**
   * The same from 4.6 on (reported for Sonnet 4.6, with and without the header). Opus 4.6 adds nearly as many for
   * adaptive thinking.
   */
  interleavedThinking46: 18,
  /**
   * Tokens around the examples of a tool (reported: 82 for one example of `x: 5`, on Opus 4.6). Each example counts like a
   * call, which is within the 20 to 50 tokens that the provider's documentation names.
   */
  inputExamples: 48,
  /** Tokens of a task budget (Opus 4.7), in addition to the digits of the remaining budget. */
  taskBudget: 34,
  /** Tokens of `is_error: true` (4 of 4 recorded requests). */
  errorResult: 8,
  /** Tokens of a result without content (2 requests of one source to Sonnet 4.5, both with an empty string). */
  emptyResult: 15,
  /** Tokens around an output schema (49 of 53 recorded requests, one of them Opus 4.7). */
  outputSchema: 81,
  outputSchemaV47: 119,
  /**
   * Tokens around a search result, around the results of one tool, and of citation instructions in addition to those
   * for documents. Each number is from a single request and has no second record.
   */
  searchResultFrame: 58,
  searchResults: 24,
  instructionsForResults: -15,
  /** Tokens around a summary, including the explanation for the model (four equal summaries of two sources). */
  compactionFrame: 85,
  /**
   * Claude 3 Opus has the published 530 tokens if the conversation ends in results (7 requests), and three more
   * otherwise (13 requests, two of them with text after results).
   */
  opus3AfterResults: -3,
  /** Tokens that `display_number` adds to a computer tool, in addition to its digits. */
  displayNumber: 11,
  /** Tokens of a forced choice with `disable_parallel_tool_use`, in every generation. */
  serialForced: 1,
  /** Tokens that announce a tool added in mid-conversation. */
  toolAddition: 30,
  /** Tokens that announce a removed tool, in addition to its name (2 requests of one source, both of one tool). */
  toolRemoval: 22,
  /** Additional tokens at the start of a prompt from 5.5 on (8 requests of one source to Opus 5.5 and Sonnet 5.5). */
  start55: 2,
  /** Additional tokens of citation instructions on Sonnet 5.5 (1 request, Opus 5.5 has 83 less for the same). */
  sonnet55Citations: 83,
  /** Tokens of deferred tools in generations with special tokens (equal on four models). */
  deferredTools: 93,
  /**
   * Tokens of the implicit user turn before a conversation that begins with the assistant (6 of 6 requests, 4.5 and
   * 4.6).
   */
  implicitUserTurn: 12,
  /** Tokens around a page (62 recorded one-page PDFs; 5 series: 3). */
  pageFrame: 7,
  pageFrameSpecial: 10,
  /** Claude 3 Haiku and 3.5 Haiku: constant tokens per page (letter and A4 recorded). */
  flatPage: 1571,
};

/** Formats with few sources. */
const FORMAT = {
  /** Whether tools that a result refers to are in a separate list of functions. */
  listsReferences: true,
  /** Whether a result that loads tools omits its tool's name among several results. */
  namelessReferences: true,
  /** Whether a text document at the end of a message has the line break before the next message (1 record). */
  breakAfterDocument: true,
  /** Whether text that cites its sources is in a tag (1 record, which the tag explains). */
  citeTags: true,
};

/**
 * Tokens of manual extended thinking with any budget. Its section follows tools, system text and schema (130 of 132
 * recorded requests; two of 2025 have 28 on 4.1 and 4.5; 3.7 twice 28).
 */
const THINKING_ENABLED: Record<Generation, number> = {
  '3': 28,
  '4': 29,
  '4.5': 29,
  '4.6': 28,
  '4.7': 28,
  '5': 28,
  '5.5': 28,
};

/**
 * Tokens of the instructions that are written once if citations are requested. They are longer in generations with
 * special tokens.
 */
const CITATION_INSTRUCTIONS: Record<Generation, number> = {
  '3': 476,
  '4': 476,
  '4.5': 476,
  '4.6': 478,
  '4.7': 718,
  '5': 718,
  '5.5': 718,
};

/**
 * Tokens of the marks around each sentence of a cited source. Text documents of two and three sentences (4.6) and of
 * two and four (4.5) confirm them. Evidence for pages: one of 67 sentences, and one of one sentence whose recording
 * lost its setting.
 */
const SENTENCE_MARKS = { text: 18, page: 16 };

/** Tokens of a document in a result in addition to its frame. If a token closes the results, a line break is saved. */
const DOCUMENT_IN_RESULT = { alone: 2, aloneSpecial: 1, afterText: 10 };

/** All fitted rules. Research counts with changed copies. */
export interface FittedRules {
  readonly overheads: Readonly<typeof OVERHEADS>;
  readonly format: Readonly<Record<keyof typeof FORMAT, boolean>>;
  readonly generations: Readonly<Record<Generation, GenerationRules>>;
  readonly thinkingEnabled: Readonly<Record<Generation, number>>;
  readonly citationInstructions: Readonly<Record<Generation, number>>;
  readonly sentenceMarks: Readonly<typeof SENTENCE_MARKS>;
  readonly documentInResult: Readonly<typeof DOCUMENT_IN_RESULT>;
  readonly builtinTools: readonly BuiltinTool[];
  /** Tokens of the tool-use system prompt by model id. */
  readonly toolPrompts: Readonly<Record<string, ModelRow['toolPrompt']>>;
}

export const FITTED_RULES: FittedRules = deepFreeze({
  overheads: OVERHEADS,
  format: FORMAT,
  generations: GENERATION_RULES,
  thinkingEnabled: THINKING_ENABLED,
  citationInstructions: CITATION_INSTRUCTIONS,
  sentenceMarks: SENTENCE_MARKS,
  documentInResult: DOCUMENT_IN_RESULT,
  builtinTools: BUILTIN_TOOLS,
  toolPrompts: Object.fromEntries(MODEL_ROWS.map(({ id, toolPrompt }) => [id, toolPrompt])),
});

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value))
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner as object);
  return Object.freeze(value);
}
