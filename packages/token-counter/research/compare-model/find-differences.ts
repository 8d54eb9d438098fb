/**
 * Explains the residuals of a model's recordings by a few constants. Each constant is the value that the most
 * recordings agree on, found by counting votes, so every difference can be checked by hand.
 */
import { type FeatureCounts, KNOWN_TO_DIFFER } from './count-features.ts';

/** A recording of the new model beside its count by the rules of the known model. */
export interface ComparedRow {
  id: string;
  /** Repository of the recording. */
  source: string;
  recorded: number;
  counted: number;
  features: FeatureCounts;
  /** Whether no rule gives a part of the request exactly. */
  isEstimated: boolean;
}

/** A constant by which the new model differs, per occurrence of its feature. */
export interface Difference {
  feature: string;
  tokens: number;
  /** Rows with this feature that all differences together explain exactly. */
  agreeing: ComparedRow[];
  /** Rows with this feature that stay unexplained. */
  against: ComparedRow[];
  /** Other features that explain as many rows in place of this one. */
  alternatives: { feature: string; tokens: number }[];
}

interface UnexplainedRow {
  row: ComparedRow;
  /** Recorded count minus the count with all differences. */
  residual: number;
}

export interface Comparison {
  differences: Difference[];
  unexplained: UnexplainedRow[];
}

/** Tokens by feature. */
type Constants = ReadonlyMap<string, number>;

/** How many of the most voted values of a feature are tried. */
const TRIED_VALUES = 4;

/** Returns the differences that explain the most rows, with their evidence. */
export function findDifferences(rows: readonly ComparedRow[]): Comparison {
  const features = listFeatures(rows);
  const constants = removeUnneeded(rows, searchConstants(rows, features));
  const isExplained = (row: ComparedRow): boolean => computeResidual(row, constants) === 0;
  const differences = Array.from(constants, ([feature, tokens]): Difference => {
    const concerned = rows.filter((row) => row.features.has(feature));
    return {
      feature,
      tokens,
      agreeing: concerned.filter(isExplained),
      against: concerned.filter((row) => !isExplained(row)),
      alternatives: findAlternatives(rows, features, constants, feature),
    };
  });
  differences.sort((a, b) => b.agreeing.length - a.agreeing.length);
  const unexplained = rows
    .map((row) => ({ row, residual: computeResidual(row, constants) }))
    .filter(({ residual }) => residual !== 0);
  return { differences, unexplained };
}

/** Returns all features of the rows, first those that are known to differ between models. */
function listFeatures(rows: readonly ComparedRow[]): string[] {
  const found = new Set(rows.flatMap((row) => [...row.features.keys()]));
  return [...new Set([...KNOWN_TO_DIFFER, ...found])].filter((feature) => found.has(feature));
}

function computeResidual({ recorded, counted, features }: ComparedRow, constants: Constants): number {
  let residual = recorded - counted;
  for (const [feature, tokens] of constants) residual -= tokens * (features.get(feature) ?? 0);
  return residual;
}

/** Number of unexplained rows, and their remaining deviation in tokens. Both are to be small. */
interface Misfit {
  rows: number;
  tokens: number;
}

function measureMisfit(rows: readonly ComparedRow[], constants: Constants): Misfit {
  const residuals = rows.map((row) => Math.abs(computeResidual(row, constants)));
  return {
    rows: residuals.filter((residual) => residual > 0).length,
    tokens: residuals.reduce((sum, residual) => sum + residual, 0),
  };
}

const isBetter = (a: Misfit, b: Misfit): boolean => a.rows < b.rows || (a.rows === b.rows && a.tokens < b.tokens);

/** Adds one constant after the other until none explains a further row. */
function searchConstants(rows: readonly ComparedRow[], features: readonly string[]): Constants {
  let constants: Constants = new Map();
  let extended = addBestConstant(rows, features, constants);
  while (extended !== undefined) {
    constants = extended;
    extended = addBestConstant(rows, features, constants);
  }
  return constants;
}

/** Returns the constants with the one that explains the most further rows, or `undefined` if none explains any. */
function addBestConstant(
  rows: readonly ComparedRow[],
  features: readonly string[],
  constants: Constants,
): Constants | undefined {
  const misfit = measureMisfit(rows, constants);
  let best = { constants, misfit };
  for (const feature of features) {
    if (constants.has(feature)) continue;
    for (const tokens of listVotes(rows, constants, feature)) {
      const candidate = voteAgain(rows, new Map([...constants, [feature, tokens]]));
      const candidateMisfit = measureMisfit(rows, candidate);
      if (isBetter(candidateMisfit, best.misfit)) best = { constants: candidate, misfit: candidateMisfit };
    }
  }
  return best.misfit.rows < misfit.rows ? best.constants : undefined;
}

/** Returns the values of a feature that would explain the most rows, the most frequent first. */
function listVotes(rows: readonly ComparedRow[], constants: Constants, feature: string): number[] {
  const votes = new Map<number, number>();
  for (const row of rows) {
    const occurrences = row.features.get(feature);
    const tokens = occurrences === undefined ? 0 : computeResidual(row, constants) / occurrences;
    if (tokens !== 0 && Number.isInteger(tokens)) votes.set(tokens, (votes.get(tokens) ?? 0) + 1);
  }
  return [...votes]
    .toSorted(([a, votesOfA], [b, votesOfB]) => votesOfB - votesOfA || Math.abs(a) - Math.abs(b))
    .slice(0, TRIED_VALUES)
    .map(([tokens]) => tokens);
}

/** Lets the rows vote again on each constant while the others stay, because a new constant changes the votes. */
function voteAgain(rows: readonly ComparedRow[], constants: Constants): Constants {
  let best = constants;
  for (const feature of constants.keys()) {
    const others = new Map(best);
    others.delete(feature);
    for (const tokens of listVotes(rows, others, feature)) {
      const candidate = new Map([...best, [feature, tokens]]);
      if (isBetter(measureMisfit(rows, candidate), measureMisfit(rows, best))) best = candidate;
    }
  }
  return best;
}

/** Removes constants without which as many rows are explained. */
function removeUnneeded(rows: readonly ComparedRow[], constants: Constants): Constants {
  let needed = constants;
  for (const feature of constants.keys()) {
    const others = new Map(needed);
    others.delete(feature);
    if (measureMisfit(rows, others).rows <= measureMisfit(rows, needed).rows) needed = others;
  }
  return needed;
}

/** Returns the features that explain as many rows in place of `replaced`, each with its tokens. */
function findAlternatives(
  rows: readonly ComparedRow[],
  features: readonly string[],
  constants: Constants,
  replaced: string,
): Difference['alternatives'] {
  const explained = measureMisfit(rows, constants).rows;
  const others = new Map(constants);
  others.delete(replaced);
  return features.flatMap((feature) => {
    if (constants.has(feature)) return [];
    const tokens = listVotes(rows, others, feature).find(
      (value) => measureMisfit(rows, new Map([...others, [feature, value]])).rows <= explained,
    );
    return tokens === undefined ? [] : [{ feature, tokens }];
  });
}
