import type { Generation } from '../models/model-row.ts';
import type { Context } from './context.ts';
import { FITTED, FORMS } from './fitted.ts';
import { NAMESPACE } from './write-calls.ts';

/** Instructions that are written once when citations are asked for: special generations have longer ones. */
export const CITATION_INSTRUCTIONS: Record<Generation, number> = {
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
export const SENTENCE_MARKS = { text: 18, page: 16 };

/** Charges the instructions for citing, behind tools, system text and schema, where a source asks for them. */
export function writeCitationInstructions(context: Context): void {
  const { citations, model, prompt } = context;
  if (citations === undefined) return;
  const fewer = citations === 'search_result' ? FITTED.instructionsForResults : 0;
  prompt.charge(CITATION_INSTRUCTIONS[model.generation] + fewer, 'citations', '', false);
  context.breakOwed = true;
}

/** Texts of an answer that cites its sources stand in a tag with their places, here before and behind the text. */
export function citeTag(citations: readonly unknown[] | null | undefined): { open: string; close: string } | undefined {
  if (!FORMS.citeTags || citations == null || citations.length === 0) return undefined;
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
export function citationMarks(context: Context, text: string, path: string, kind: keyof typeof SENTENCE_MARKS): void {
  context.prompt.charge(SENTENCE_MARKS[kind] * countSentences(text), 'citations', path, false);
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
