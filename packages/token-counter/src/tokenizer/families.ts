/** What the frame of each family does to the ends of a text. */
import type { VocabularyName } from './vocabulary.ts';

/** Generations whose texts count alike: `v3` Claude 3 to Opus 4.6, Sonnet 4.6, Haiku 4.5; `v4.7` Opus 4.7 on; `v5`
 * Opus 5; `v5-sonnet` Sonnet 5, Fable 5. */
export type TextFamily = 'v3' | 'v4.7' | 'v5' | 'v5-sonnet';

export interface TextFrame {
  /** The frame ends with an opening marker, which is a blank: the first word takes it, anything else pays it. */
  readonly providesLeadingSpace: boolean;
  /** Line feeds of the frame that those at the end of the text join; undefined where they join none. */
  readonly closingLineFeeds: number | undefined;
  /** ASCII white space at the end of the text is dropped. */
  readonly trimsEnd: boolean;
}

export const frameByFamily: Readonly<Record<TextFamily, TextFrame & { readonly vocabulary: VocabularyName }>> = {
  v3: { vocabulary: 'v3', providesLeadingSpace: true, closingLineFeeds: 2, trimsEnd: false },
  'v4.7': { vocabulary: 'v4.7', providesLeadingSpace: true, closingLineFeeds: 2, trimsEnd: false },
  v5: { vocabulary: 'v4.7', providesLeadingSpace: false, closingLineFeeds: undefined, trimsEnd: true },
  'v5-sonnet': { vocabulary: 'v4.7', providesLeadingSpace: false, closingLineFeeds: 0, trimsEnd: false },
};

/** A text that is no message: nothing stands around it, nothing is dropped. */
export const NO_FRAME: TextFrame = { providesLeadingSpace: false, closingLineFeeds: undefined, trimsEnd: false };
