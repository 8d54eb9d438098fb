import { MODEL_ROWS } from './models-data.ts';
import type { ModelRow } from './model-row.ts';

/** Returns every countable model, newest first. */
export function listModels(): readonly ModelRow[] {
  return MODEL_ROWS;
}

/** Returns whether a model keeps the thinking of earlier turns, by the provider's documentation. */
export function modelKeepsThinking({ id, generation }: ModelRow): boolean {
  return id === 'claude-opus-4-5' || (generation !== '3' && generation !== '4' && generation !== '4.5');
}

/**
 * Returns whether a model is Opus 4.8 or of a 5 series. These accept system messages in a conversation, and think unless
 * the request disables it.
 */
export function isSeries5({ generation }: ModelRow): boolean {
  return generation === '5' || generation === '5.5';
}
