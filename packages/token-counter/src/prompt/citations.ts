import type { Context } from './context.ts';
import type { FittedRules } from './fitted.ts';
import { NAMESPACE } from './write-calls.ts';

/**
 * Adds the tokens of the citation instructions, after tools, system text and schema, if a source requests citations.
 */
export function writeCitationInstructions(context: Context): void {
  const { citations, model, prompt } = context;
  if (citations === undefined) return;
  const { instructionsForResults, sonnet55Citations } = context.fitted.overheads;
  const tokens =
    context.fitted.citationInstructions[model.generation] +
    (citations === 'search_result' ? instructionsForResults : 0) +
    (model.id === 'claude-sonnet-5-5' ? sonnet55Citations : 0);
  prompt.addTokens(tokens, 'citations', '', false);
  context.hasPendingLineBreak = true;
}

/** Returns the tags around a text that cites its sources: before the text with the indexes, and after it. */
export function createCiteTag(
  context: Context,
  citations: readonly unknown[] | null | undefined,
): { open: string; close: string } | undefined {
  if (!context.fitted.format.citeTags || citations == null || citations.length === 0) return undefined;
  const index = citations.map((citation) => formatCitationIndex(citation as CitationLocation)).join(',');
  return { open: `<${NAMESPACE}cite index="${index}">`, close: `</${NAMESPACE}cite>` };
}

interface CitationLocation {
  document_index?: unknown;
  search_result_index?: unknown;
  start_block_index?: unknown;
}

/**
 * Returns source and sentence of a citation. The request does not name the sentence, so a number of up to three digits
 * (one token) is used.
 */
function formatCitationIndex({ document_index, search_result_index, start_block_index }: CitationLocation): string {
  const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
  return `${number(document_index ?? search_result_index)}-${number(start_block_index)}`;
}

/** Adds the tokens of the marks that delimit the sentences of a cited text. */
export function addCitationMarks(
  context: Context,
  text: string,
  path: string,
  kind: keyof FittedRules['sentenceMarks'],
): void {
  context.prompt.addTokens(context.fitted.sentenceMarks[kind] * countSentences(text), 'citations', path, false);
}

/** Counts sentences: a full stop, question or exclamation mark before a space or the end. */
function countSentences(text: string): number {
  let sentences = 0;
  let inSentence = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const isSentenceEnd = unit === 0x2e || unit === 0x21 || unit === 0x3f;
    if (isSentenceEnd && inSentence && (i + 1 === text.length || text.charCodeAt(i + 1) <= 0x20)) {
      sentences++;
      inSentence = false;
    } else if (unit > 0x20) inSentence = true;
  }
  return inSentence ? sentences + 1 : sentences;
}
