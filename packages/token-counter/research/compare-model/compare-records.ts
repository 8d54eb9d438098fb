/** Counts recordings of one model by the rules of another. */
import { type CountOptions, countTokens, listModels, type ModelRow, resolveModel } from '../../src/index.ts';
import { getRepository } from '../accuracy/cross-validation.ts';
import { type CleanRecord, type RecordedRequest, selectCleanRecords } from '../accuracy/records.ts';
import { countFeatures } from './count-features.ts';
import { type ComparedRow, findDifferences } from './find-differences.ts';

/**
 * Returns the clean recordings of a model as requests to `like`, so that a model without a row can be counted.
 * @param id plain id of the model, or any name that `resolveModel` knows
 */
export function selectRecords(records: readonly RecordedRequest[], id: string, like: ModelRow): CleanRecord[] {
  const wanted = resolveModel(id);
  const isOfModel = ({ model }: RecordedRequest): boolean =>
    model === id || (wanted !== undefined && resolveModel(model) === wanted);
  return selectCleanRecords(records.filter(isOfModel).map((record) => ({ ...record, model: like.id })));
}

export function compareRecords(records: readonly CleanRecord[], like: ModelRow, options: CountOptions): ComparedRow[] {
  return records.map((clean) => {
    const { input_tokens, breakdown } = countTokens(
      { ...clean.request, model: like.id },
      { ...options, betas: clean.betas ?? [] },
    );
    return {
      id: clean.record.id,
      source: getRepository(clean),
      recorded: clean.record.true_input_tokens,
      counted: input_tokens,
      features: countFeatures(clean.request),
      isEstimated: breakdown.some(({ exact }) => !exact),
    };
  });
}

/** Deviation in tokens beyond which a recording counts no more against a model. */
const MAX_DEVIATION = 1_000;
/** How many models with the smallest deviation are compared by their differences. */
const COMPARED_MODELS = 4;

/**
 * Returns the known model, other than the one named, whose rules leave the fewest recordings unexplained and need the
 * fewest differences.
 */
export function findNearestModel(records: readonly CleanRecord[], id: string, options: CountOptions): ModelRow {
  const own = resolveModel(id);
  const candidates = listDistinctModels(own)
    .map((row) => ({ row, rows: compareRecords(records, row, options) }))
    .map((candidate) => ({ ...candidate, deviation: sumDeviation(candidate.rows) }))
    .toSorted((a, b) => a.deviation - b.deviation)
    .slice(0, COMPARED_MODELS)
    .map((candidate) => ({ ...candidate, ...findDifferences(candidate.rows) }))
    .toSorted((a, b) => a.unexplained.length - b.unexplained.length || a.differences.length - b.differences.length);
  const [nearest] = candidates;
  if (nearest === undefined) throw new Error('there is no model to compare with');
  return nearest.row;
}

/** Returns one model of each set of rules, the newest first. */
function listDistinctModels(excluded: ModelRow | undefined): ModelRow[] {
  const byRules = new Map<string, ModelRow>();
  for (const row of listModels()) {
    const key = [row.text, row.generation, row.toolPrompt.auto, row.toolPrompt.forced, row.imageTier].join(' ');
    if (row !== excluded && !byRules.has(key)) byRules.set(key, row);
  }
  return [...byRules.values()];
}

function sumDeviation(rows: readonly ComparedRow[]): number {
  return rows.reduce((sum, { recorded, counted }) => sum + Math.min(Math.abs(recorded - counted), MAX_DEVIATION), 0);
}
