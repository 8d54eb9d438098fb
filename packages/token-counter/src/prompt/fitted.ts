/**
 * The rules that were fitted on recorded requests, as frozen data that is passed to whoever writes a part of the
 * prompt. docs/reference/accuracy.md says of each how many records hold it, how many speak against it, and from how many sources.
 */
import type { Generation, ModelRow } from '../models/model-row.ts';
import { MODEL_ROWS } from '../models/models-data.ts';
import { BUILTIN_TOOLS, type BuiltinTool } from './builtin-tool-rows.ts';
import { GENERATION_RULES, type GenerationRules } from './generation-rules.ts';

/** Tokens that no text explains. */
const OVERHEADS = {
  /** Tokens around a document (12 text documents, 64 PDFs). */
  documentFrame: 36,
  /** The same in the newer vocabulary, where its first sign does not merge with a role marker. */
  documentFrameLater: 38,
  /** Tokens around the title beside its tag, and around the context (no evidence: as the title). */
  titleFrame: 5,
  /** What a cited document has less beside its title. */
  citedTitle: -1,
  /** Around the sentences of a cited page. */
  citedPage: 7,
  /** Text that follows a text document in its message (3 records). */
  textAfter: 2,
  /** Tokens around an image in a message (67 of 68 recorded images). */
  imageFrame: 2,
  /** Media in a result (18 of 18 recorded results). */
  mediaResult: 2,
  imageInResult: 13,
  /** Each text of a result that holds media as well. */
  textBesideMedia: 6,
  /** Adaptive thinking on Opus 4.6; 0 elsewhere, and where a forced choice of a tool leaves nothing to think about. */
  adaptiveOpus46: 17,
  /** A task budget (Opus 4.7), beside the digits of what is left of it. */
  taskBudget: 34,
  /** `is_error: true` (4 of 4 recorded requests). */
  errorResult: 8,
  /** Tokens around an output schema; 49 of 53 recorded requests, Opus 4.7 one of them. */
  outputSchema: 81,
  outputSchemaLater: 119,
  /** Tokens around a search result, around those of one tool's result, and what the instructions for citing them have
   * beside those for documents: three figures from three different requests, which no other one checks. */
  searchResultFrame: 58,
  searchResults: 24,
  instructionsForResults: -15,
  /** Tokens around the summary, what tells the model about it among them: the same for four summaries, two sources. */
  compactionFrame: 85,
  /** Claude 3 Opus has the published 530 once a tool was called, and three more before. */
  opus3Calls: -3,
  /** What `display_number` adds to a computer tool beside its own digits. */
  displayNumber: 11,
  /** A forced choice with `disable_parallel_tool_use`, in every generation. */
  serialForced: 1,
  /** A tool that joins in mid-conversation: what tells the model about it. */
  toolAddition: 30,
  /** Special generations: what comes with deferred tools, unseen; the same on four models. */
  deferredTools: 93,
  /** The stand-in user turn before a conversation that begins with the assistant (6 of 6 requests, 4.5 and 4.6). */
  implicitUserTurn: 12,
  /** Tokens around a page (62 recorded one-page PDFs; 5 series: 3). */
  pageFrame: 7,
  pageFrameSpecial: 10,
  /** Claude 3 Haiku and 3.5 Haiku: every page costs the same (letter and A4 recorded). */
  flatPage: 1571,
};

/** Ways of writing that few sources show. */
const FORMAT = {
  /** Tools that a result refers to stand in a list of functions of their own. */
  listsReferences: true,
  /** Among several results, one that loads tools does not name the tool that it comes from. */
  namelessReferences: true,
  /** Text of an answer that cites its sources stands in a tag (1 record, which the tag itself explains). */
  citeTags: true,
};

/**
 * Manual extended thinking, whatever its budget: a section of its own behind tools, system text and schema
 * (130 of 132 recorded requests; two of 2025 have 28 on 4.1 and 4.5; 3.7 twice 28).
 */
const THINKING_ENABLED: Record<Generation, number> = {
  '3': 28,
  '4': 29,
  '4.5': 29,
  '4.6': 28,
  '4.7': 28,
  '5': 28,
};

/** Instructions that are written once when citations are asked for: special generations have longer ones. */
const CITATION_INSTRUCTIONS: Record<Generation, number> = {
  '3': 476,
  '4': 476,
  '4.5': 476,
  '4.6': 478,
  '4.7': 718,
  '5': 718,
};

/**
 * Marks around each sentence of a cited source. Text documents of two and three sentences (4.6) and of two and four
 * (4.5) agree on it; pages on one of 67 sentences, and another of one whose recording lost its setting.
 */
const SENTENCE_MARKS = { text: 18, page: 16 };

/** What a document costs in a result beside its frame; where results are closed by a token, a line break less. */
const DOCUMENT_IN_RESULT = { alone: 2, aloneSpecial: 1, afterText: 10 };

/** All fitted rules. Research counts by changed copies of them. */
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
