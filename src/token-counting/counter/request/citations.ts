import type { Generation } from '../model-row.ts';
import type { Context } from './context.ts';

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
 * (4.5) agree on it; of pages there is one cited file, of 67 sentences.
 */
export const SENTENCE_MARKS = { text: 18, page: 16 };

/** Charges the instructions for citing, behind tools, system text and schema, where a source asks for them. */
export function writeCitationInstructions(context: Context): void {
  if (!context.citations) return;
  context.prompt.charge(CITATION_INSTRUCTIONS[context.model.generation], 'citations', '', false);
  context.breakOwed = true;
}

/** Charges the marks that delimit the sentences of a cited text. */
export function citationMarks(
  context: Context,
  text: string,
  path: string,
  kind: keyof typeof SENTENCE_MARKS = 'text',
): void {
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
