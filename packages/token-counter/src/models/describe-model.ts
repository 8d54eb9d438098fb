import { MODEL_FACTS, type ModelFacts } from './model-facts.ts';
import type { ModelRow } from './model-row.ts';
import { resolveModel } from './resolve-model.ts';

/** A model with what the provider publishes about it. */
export interface ModelDescription extends ModelFacts {
  id: string;
  displayName: string;
  status: ModelRow['status'];
  /** Date of the deprecation (ISO 8601). Null for an active model, and if no date is published. `models-data.ts` names the source. */
  deprecatedAt: string | null;
  /** Date on which the provider stops serving the model (ISO 8601). Null if no date is published. */
  retiresAt: string | null;
}

/**
 * Returns what is published about a model: context window, output limit, prices, capabilities and retirement, with
 * the pages that state them and the day on which they were read. Takes the same names as `resolveModel`.
 */
export function describeModel(name: string): ModelDescription | undefined {
  const row = resolveModel(name);
  if (row === undefined) return undefined;
  const { id, displayName, status, deprecatedAt = null, retiresAt = null } = row;
  return { id, displayName, status, deprecatedAt, retiresAt, ...MODEL_FACTS[id]! };
}
