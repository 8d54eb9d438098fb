/** Rules of each family's frame for the ends of a text. */
import type { VocabularyName } from './vocabulary.ts';

/**
 * Families of models with equal text counts: `v3` Claude 3 to Opus 4.6, Sonnet 4.6, Haiku 4.5; `v4.7` Opus 4.7 and
 * later; `v5` Opus 5; `v5-sonnet` Sonnet 5, Fable 5.
 */
export type TextFamily = 'v3' | 'v4.7' | 'v5' | 'v5-sonnet';

export interface TextFrame {
  /** Whether the frame ends with an opening marker (a space). A first word uses it. Other content pays for it. */
  readonly providesLeadingSpace: boolean;
  /** Number of the frame's line feeds that merge with those at the end of the text. Undefined if none do. */
  readonly closingLineFeeds: number | undefined;
  /** Whether ASCII white space at the end of the text is dropped. */
  readonly trimsEnd: boolean;
}

export const frameByFamily: Readonly<Record<TextFamily, TextFrame & { readonly vocabulary: VocabularyName }>> = {
  v3: { vocabulary: 'v3', providesLeadingSpace: true, closingLineFeeds: 2, trimsEnd: false },
  'v4.7': { vocabulary: 'v4.7', providesLeadingSpace: true, closingLineFeeds: 2, trimsEnd: false },
  v5: { vocabulary: 'v4.7', providesLeadingSpace: false, closingLineFeeds: undefined, trimsEnd: true },
  'v5-sonnet': { vocabulary: 'v4.7', providesLeadingSpace: false, closingLineFeeds: 0, trimsEnd: false },
};

/** The frame of a text outside a message: nothing surrounds it, nothing is dropped. */
export const NO_FRAME: TextFrame = { providesLeadingSpace: false, closingLineFeeds: undefined, trimsEnd: false };
