import type { Context } from './context.ts';
import type { FittedRules } from './fitted.ts';
import { NAMESPACE } from './write-calls.ts';

/** Charges the instructions for citing, behind tools, system text and schema, where a source asks for them. */
export function writeCitationInstructions(context: Context): void {
  const { citations, model, prompt } = context;
  if (citations === undefined) return;
  const fewer = citations === 'search_result' ? context.fitted.overheads.instructionsForResults : 0;
  prompt.charge(context.fitted.citationInstructions[model.generation] + fewer, 'citations', '', false);
  context.breakOwed = true;
}

/** Texts of an answer that cites its sources stand in a tag with their places, here before and behind the text. */
export function citeTag(
  context: Context,
  citations: readonly unknown[] | null | undefined,
): { open: string; close: string } | undefined {
  if (!context.fitted.format.citeTags || citations == null || citations.length === 0) return undefined;
  const index = citations.map((each) => placeOf(each as Place)).join(',');
  return { open: `<${NAMESPACE}cite index="${index}">`, close: `</${NAMESPACE}cite>` };
}

interface Place {
  document_index?: unknown;
  search_result_index?: unknown;
  start_block_index?: unknown;
}

/** Source and sentence of a citation. Which sentence is not said; a number of up to three digits is a token. */
function placeOf({ document_index, search_result_index, start_block_index }: Place): string {
  const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
  return `${number(document_index ?? search_result_index)}-${number(start_block_index)}`;
}

/** Charges the marks that delimit the sentences of a cited text. */
export function citationMarks(
  context: Context,
  text: string,
  path: string,
  kind: keyof FittedRules['sentenceMarks'],
): void {
  context.prompt.charge(context.fitted.sentenceMarks[kind] * countSentences(text), 'citations', path, false);
}

/** Sentences: a full stop, question or exclamation mark before a blank or the end. */
function countSentences(text: string): number {
  let sentences = 0;
  let open = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const ends = unit === 0x2e || unit === 0x21 || unit === 0x3f;
    if (ends && open && (i + 1 === text.length || text.charCodeAt(i + 1) <= 0x20)) {
      sentences++;
      open = false;
    } else if (unit > 0x20) open = true;
  }
  return open ? sentences + 1 : sentences;
}
