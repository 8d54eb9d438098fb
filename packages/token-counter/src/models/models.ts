import { MODEL_ROWS } from './models-data.ts';
import type { ModelRow } from './model-row.ts';

const rowById = new Map(MODEL_ROWS.flatMap((row) => [row.id, ...row.aliases].map((id) => [id, row])));

/** Every model that can be counted, newest first. */
export function listModels(): readonly ModelRow[] {
  return MODEL_ROWS;
}

/** The row of a model id, an alias or a dated id; `undefined` for an unknown model. */
export function resolveModel(id: string): ModelRow | undefined {
  return rowById.get(id);
}
