/** Which vocabulary and text frame a model reads (the text engine's families). */
export type TextFamilyName = 'v3' | 'v4.7' | 'v5' | 'v5-sonnet';

/**
 * Which set of request rules a model follows (prompt/generation-rules.ts). `5` holds Opus 4.8 as well: it has the
 * vocabulary of 4.7 and the frame of the 5 series.
 */
export type Generation = '3' | '4' | '4.5' | '4.6' | '4.7' | '5';

/** How sure we are of a row: measured on recorded requests, taken from the provider's documentation, or assumed. */
type Evidence = 'recorded' | 'documented' | 'assumed';

/** One model, as data. */
export interface ModelRow {
  /** The id without a date where the provider offers one. */
  id: string;
  displayName: string;
  /** Release date, ISO 8601; the day it was first seen in public where no date is published (the 5.1, 5.2 and 5.5
   * models but Haiku). */
  createdAt: string;
  aliases: readonly string[];
  /** `retired` models are no longer served by the provider; we still count for them. */
  status: 'active' | 'deprecated' | 'retired';
  /** When the provider stops or stopped serving it, ISO 8601; absent where no date is published. */
  retiresAt?: string;
  text: TextFamilyName;
  generation: Generation;
  /** Tokens of the tool-use system prompt without definitions, by tool choice (auto and none, any and tool). */
  toolPrompt: { auto: number; forced: number };
  imageTier: 'standard' | 'high';
  /** Images and documents a request may hold. */
  maxMedia: 100 | 600;
  /** Where the figures come from, in words. */
  evidence: { level: Evidence; note: string };
}
