import type { Generation } from '../models/model-row.ts';

/** What differs between generations; n = recorded requests that show it, of which all but data faults agree. */
export interface GenerationRules {
  /**
   * `text`: role markers are text of the one prompt (`\n\nHuman: …`). `special`: they are single tokens, and each
   * turn's content is priced by itself, without its trailing blanks.
   */
  roleMarkers: 'text' | 'special';
  /** Texts that the provider adds cost what they do in the newer vocabulary. */
  usesV47Overheads: boolean;
  /** Blanks around the system text are dropped (3.x: 10 of 10, all 3.5 Sonnet with tools; later ones: 0 of 40). */
  trimsSystem: boolean;
  /** A line break stands before the system text even when no tools do (from 4.6 on; n = 71). */
  breakBeforeSystem: boolean;
  /** `</function_results>` is followed by two line breaks; in 3.x one precedes assistant text instead (n = 106). */
  breakAfterResults: boolean;
  /** Tool definitions hold characters beyond ASCII as they are; up to 4.5 they are escaped. */
  rawTools: boolean;
  /** A line break stands between a document and the content before it (4.6: 14 records of three sources). */
  documentOnNewLine: boolean;
  /**
   * `disable_parallel_tool_use`: tokens that it adds to an automatic choice, and those of the advice to call in
   * parallel that it takes from the prompt of a forced one.
   */
  serialTools: { auto: number; advice: number };
}

const GENERATION_4: GenerationRules = {
  roleMarkers: 'text',
  usesV47Overheads: false,
  trimsSystem: false,
  breakBeforeSystem: false,
  breakAfterResults: true,
  rawTools: false,
  documentOnNewLine: false,
  // Forced 44 less on Sonnet 4 (n = 9), the price of a sentence about parallel calls; auto has no evidence.
  serialTools: { auto: 0, advice: 44 },
};
/** Serial tools: auto −208 (n = 4). */
const GENERATION_4_5: GenerationRules = { ...GENERATION_4, serialTools: { auto: -208, advice: 0 } };
/** Serial tools: no evidence, as 4.5. */
const GENERATION_4_6: GenerationRules = {
  ...GENERATION_4_5,
  breakBeforeSystem: true,
  rawTools: true,
  documentOnNewLine: true,
};
const GENERATION_4_7: GenerationRules = {
  ...GENERATION_4_6,
  usesV47Overheads: true,
  serialTools: { auto: 0, advice: 0 },
};

/** Each generation takes over what the one before it has, unless records show otherwise. */
export const GENERATION_RULES: Readonly<Record<Generation, GenerationRules>> = {
  // Serial tools: +2 on 3.5 Haiku (n = 1).
  '3': { ...GENERATION_4, trimsSystem: true, breakAfterResults: false, serialTools: { auto: 2, advice: 0 } },
  '4': GENERATION_4,
  '4.5': GENERATION_4_5,
  '4.6': GENERATION_4_6,
  '4.7': GENERATION_4_7,
  // Serial tools: 0 on Sonnet 5 (n = 1).
  '5': { ...GENERATION_4_7, roleMarkers: 'special', documentOnNewLine: false },
};
