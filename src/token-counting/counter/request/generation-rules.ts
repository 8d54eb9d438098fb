import type { Generation } from '../model-row.ts';

/** What differs between generations; n = recorded requests that show it, of which all but data faults agree. */
export interface GenerationRules {
  /**
   * `text`: role markers are text of the one prompt (`\n\nHuman: …`). `special`: they are single tokens, and each turn's
   * content is priced by itself, without its trailing blanks.
   */
  turns: 'text' | 'special';
  /** Blanks around the system text are dropped (3.x: 10 of 10, all 3.5 Sonnet with tools; 0 of 40 in later generations). */
  trimsSystem: boolean;
  /** A line break stands before the system text even when no tools do (from 4.6 on; n = 71). */
  breakBeforeSystem: boolean;
  /** `</function_results>` is followed by two line breaks; in 3.x by none, but one precedes assistant text (n = 106). */
  breakAfterResults: boolean;
  /** Tokens that `disable_parallel_tool_use` adds to an automatic and to a forced tool choice. */
  serialTools: { auto: number; forced: number };
  /** Adaptive thinking (n = 22 for 0; Opus 4.6 see `ADAPTIVE_OPUS_46`). */
  adaptiveThinking: number;
}

const SERIAL_UNKNOWN = { auto: 0, forced: 0 };

export const GENERATION_RULES: Record<Generation, GenerationRules> = {
  // serialTools: +2 on 3.5 Haiku (n = 1).
  '3': {
    turns: 'text',
    trimsSystem: true,
    breakBeforeSystem: false,
    breakAfterResults: false,
    serialTools: { auto: 2, forced: 0 },
    adaptiveThinking: 0,
  },
  // serialTools: forced −43 on Sonnet 4 (n = 9); auto has no evidence.
  '4': {
    turns: 'text',
    trimsSystem: false,
    breakBeforeSystem: false,
    breakAfterResults: true,
    serialTools: { auto: 0, forced: -43 },
    adaptiveThinking: 0,
  },
  // serialTools: auto −208 (n = 4), forced +1 (n = 19).
  '4.5': {
    turns: 'text',
    trimsSystem: false,
    breakBeforeSystem: false,
    breakAfterResults: true,
    serialTools: { auto: -208, forced: 1 },
    adaptiveThinking: 0,
  },
  // serialTools: no evidence, as 4.5.
  '4.6': {
    turns: 'text',
    trimsSystem: false,
    breakBeforeSystem: true,
    breakAfterResults: true,
    serialTools: { auto: -208, forced: 1 },
    adaptiveThinking: 0,
  },
  '4.7': {
    turns: 'text',
    trimsSystem: false,
    breakBeforeSystem: true,
    breakAfterResults: true,
    serialTools: SERIAL_UNKNOWN,
    adaptiveThinking: 0,
  },
  // serialTools: 0 on Sonnet 5 (n = 1).
  '5': {
    turns: 'special',
    trimsSystem: false,
    breakBeforeSystem: true,
    breakAfterResults: true,
    serialTools: SERIAL_UNKNOWN,
    adaptiveThinking: 0,
  },
};
