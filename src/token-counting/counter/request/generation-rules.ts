import type { Generation } from '../model-row.ts';

/** What differs between generations; n = recorded requests that show it, of which all but data faults agree. */
export interface GenerationRules {
  /**
   * `text`: role markers are text of the one prompt (`\n\nHuman: …`). `special`: they are single tokens, and each
   * turn's content is priced by itself, without its trailing blanks.
   */
  turns: 'text' | 'special';
  /** Blanks around the system text are dropped (3.x: 10 of 10, all 3.5 Sonnet with tools; 0 of 40 in later
   * generations). */
  trimsSystem: boolean;
  /** A line break stands before the system text even when no tools do (from 4.6 on; n = 71). */
  breakBeforeSystem: boolean;
  /**
   * `</function_results>` is followed by two line breaks; in 3.x by none, but one precedes assistant text (n = 106).
   */
  breakAfterResults: boolean;
  /** Tool definitions hold characters beyond ASCII as they are; up to 4.5 they are escaped. */
  rawTools: boolean;
  /** Tokens of the line break between a document and the content before it, unless that is a document too. */
  documentAfter: number;
  /** That line break merges with the full stop of a text (9 records of three sources, 33 of eight without one). */
  mergesWithStop: boolean;
  /** Tokens that `disable_parallel_tool_use` adds to an automatic and to a forced tool choice. */
  serialTools: { auto: number; forced: number };
}

const NONE = { auto: 0, forced: 0 };
const GENERATION_4: GenerationRules = {
  turns: 'text',
  trimsSystem: false,
  breakBeforeSystem: false,
  breakAfterResults: true,
  rawTools: false,
  documentAfter: 1,
  mergesWithStop: true,
  // Forced −43 on Sonnet 4 (n = 9); auto has no evidence.
  serialTools: { auto: 0, forced: -43 },
};
/** Serial tools: auto −208 (n = 4), forced +1 (n = 19). */
const GENERATION_4_5: GenerationRules = { ...GENERATION_4, serialTools: { auto: -208, forced: 1 } };
/** Serial tools: no evidence, as 4.5. */
const GENERATION_4_6: GenerationRules = {
  ...GENERATION_4_5,
  breakBeforeSystem: true,
  rawTools: true,
  documentAfter: 2,
  mergesWithStop: false,
};
const GENERATION_4_7: GenerationRules = { ...GENERATION_4_6, serialTools: NONE };

/** Each generation takes over what the one before it has, unless records show otherwise. */
export const GENERATION_RULES: Record<Generation, GenerationRules> = {
  // Serial tools: +2 on 3.5 Haiku (n = 1).
  '3': { ...GENERATION_4, trimsSystem: true, breakAfterResults: false, serialTools: { auto: 2, forced: 0 } },
  '4': GENERATION_4,
  '4.5': GENERATION_4_5,
  '4.6': GENERATION_4_6,
  '4.7': GENERATION_4_7,
  // Serial tools: 0 on Sonnet 5 (n = 1). Documents after content: 0 (13 records of three sources).
  '5': { ...GENERATION_4_7, turns: 'special', documentAfter: 0 },
};
