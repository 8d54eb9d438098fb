/** Families of vocabulary and text frame, one per model. */
export type TextFamilyName = 'v3' | 'v4.7' | 'v5' | 'v5-sonnet';

/**
 * Sets of request rules, one per model (prompt/generation-rules.ts). `5` includes Opus 4.8, which has the vocabulary of
 * 4.7 and the frame of the 5 series. `5.5` includes Fable 5.1 and everything later.
 */
export type Generation = '3' | '4' | '4.5' | '4.6' | '4.7' | '5' | '5.5';

/** Source of a row: measured on recorded requests, the provider's documentation, or an assumption. */
type Evidence = 'recorded' | 'documented' | 'assumed';

/** The data of one model. */
export interface ModelRow {
  /** Model id without a date if the provider offers one. */
  id: string;
  displayName: string;
  /**
   * Release date (ISO 8601). If no date is published, the day of the first public use (the 5.1, 5.2 and 5.5 models
   * except for Haiku).
   */
  createdAt: string;
  aliases: readonly string[];
  /** The provider no longer serves `retired` models. They can still be counted. */
  status: 'active' | 'deprecated' | 'retired';
  /** Date on which the provider announced the retirement (ISO 8601). Undefined if the model is active or no date is published. */
  deprecatedAt?: string;
  /** Date on which the provider stops serving the model (ISO 8601). Undefined if no date is published. */
  retiresAt?: string;
  text: TextFamilyName;
  generation: Generation;
  /**
   * Tokens of the tool-use system prompt without definitions, by tool choice: `auto` for auto and none, `forced` for
   * any and tool.
   */
  toolPrompt: { auto: number; forced: number };
  imageTier: 'standard' | 'high';
  /** Maximum number of images and documents in a request. */
  maxMedia: 100 | 600;
  /** Source of the numbers, as text. */
  evidence: { level: Evidence; note: string };
}
