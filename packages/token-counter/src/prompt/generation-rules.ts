import type { Generation } from '../models/model-row.ts';

/**
 * Rules that differ between generations. n = number of recorded requests that show a rule. All of them agree, except
 * for recording errors.
 */
export interface GenerationRules {
  /**
   * `text`: role markers are text of one prompt (`\n\nHuman: …`). `special`: they are single tokens, and the content of
   * each turn is counted separately, without its trailing spaces.
   */
  roleMarkers: 'text' | 'special';
  /** Whether texts of the provider have the token counts of the newer vocabulary. */
  usesV47Overheads: boolean;
  /**
   * Whether white space around the system text is dropped (3.x: 10 of 10, all 3.5 Sonnet with tools; later: 0 of 40).
   */
  trimsSystem: boolean;
  /** Whether a line break precedes the system text even without tools (from 4.6 on; n = 71). */
  breakBeforeSystem: boolean;
  /**
   * Whether two line breaks follow `</function_results>`. In 3.x one line break precedes assistant text instead (n =
   * 106).
   */
  breakAfterResults: boolean;
  /** Whether tool definitions contain non-ASCII characters. Up to 4.5 these are escaped. */
  rawTools: boolean;
  /** Whether thinking between calls needs fewer instructions (4.6 on). */
  interleavesBriefly: boolean;
  /** Whether a line break separates a document from preceding content (4.6: 14 records of three sources). */
  documentOnNewLine: boolean;
  /**
   * Tokens of `disable_parallel_tool_use`: `auto` adds to an automatic choice, `advice` is removed from the prompt of a
   * forced choice.
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
  interleavesBriefly: false,
  documentOnNewLine: false,
  // A forced choice has 44 less on Sonnet 4 (n = 9), the tokens of a sentence about parallel calls. There is no
  // evidence for auto.
  serialTools: { auto: 0, advice: 44 },
};
/** Serial tools: auto −208 (n = 4). */
const GENERATION_4_5: GenerationRules = { ...GENERATION_4, serialTools: { auto: -208, advice: 0 } };
/** Serial tools: no evidence, values of 4.5. */
const GENERATION_4_6: GenerationRules = {
  ...GENERATION_4_5,
  breakBeforeSystem: true,
  rawTools: true,
  interleavesBriefly: true,
  documentOnNewLine: true,
};
const GENERATION_4_7: GenerationRules = {
  ...GENERATION_4_6,
  usesV47Overheads: true,
  serialTools: { auto: 0, advice: 0 },
};
/** Serial tools: 0 on Sonnet 5 (n = 1). */
const GENERATION_5: GenerationRules = { ...GENERATION_4_7, roleMarkers: 'special', documentOnNewLine: false };

/** Each generation inherits the rules of the one before, unless records show a difference. */
export const GENERATION_RULES: Readonly<Record<Generation, GenerationRules>> = {
  // Serial tools: +2 on 3.5 Haiku (n = 1).
  '3': { ...GENERATION_4, trimsSystem: true, breakAfterResults: false, serialTools: { auto: 2, advice: 0 } },
  '4': GENERATION_4,
  '4.5': GENERATION_4_5,
  '4.6': GENERATION_4_6,
  '4.7': GENERATION_4_7,
  '5': GENERATION_5,
  // The longer start of a prompt is a token rule (fitted.ts, `start55`).
  '5.5': GENERATION_5,
};
