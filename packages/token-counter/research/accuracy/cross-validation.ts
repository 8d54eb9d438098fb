/**
 * Counts the records of each repository with rules that were fitted without it. A charge has the most frequent value in
 * the other repositories, or the fallback value without records. A format stays on only if other repositories confirm
 * it.
 */
import { FITTED_RULES, type FittedRules } from '../../src/prompt/fitted.ts';
import { listFittedRules, type FittedRule } from './fitted-rules.ts';
import type { OutsideEvidence } from './outside-evidence.ts';
import type { CleanRecord } from './records.ts';

export interface RuleSupport {
  name: string;
  tokens: number | undefined;
  /** Records that the rule changes, those that are exact with the rule, and their repositories. */
  useCount: number;
  exactCount: number;
  /** Number of recorded counts outside the sets that confirm the rule. Their repositories are included above. */
  outsideCount: number;
  repositories: number;
  /** Number of records that are exact without the rule (with a charge at its fallback value) and inexact with it. */
  contraryCount: number;
  /** Number of repositories needed to fit the rule together with others. */
  minRepositories: number;
  /** Repository whose records are the only evidence of the rule. */
  loneSource: string | undefined;
}

export interface CrossValidation {
  counts: number[];
  /** For each record, the rules that change or are off without its repository. */
  missingRules: string[][];
  support: RuleSupport[];
  /** Number of records that were used only for fitting. */
  firstCallCount: number;
}

/** Returns the repository of a record: `owner/name`. */
export function getRepository({ record }: CleanRecord): string {
  return /^[^/]+\/[^/:]+/.exec(record.source)?.[0] ?? record.source;
}

const PROBE_CHANGE = 1000;

interface RuleUse {
  index: number;
  repository: string;
  /** How often a charge applies, or the tokens added by turning a format off. */
  effect: number;
}

/**
 * Counts each record with rules that were fitted without its repository.
 * @param count counts one record by the given rules
 * @param firstCallRecords additional records for fitting, which are not counted
 * @param outside evidence from public recordings of other repositories
 */
export function leaveOneOut(
  records: readonly CleanRecord[],
  count: (clean: CleanRecord, rules: FittedRules) => number,
  firstCallRecords: readonly CleanRecord[] = [],
  outside: readonly OutsideEvidence[] = [],
): CrossValidation {
  const all = [...records, ...firstCallRecords];
  const base = all.map((clean) => count(clean, FITTED_RULES));
  const counts = [...base];
  const missingRules = all.map((): string[] => []);
  const missingTokens = all.map(({ record }, index) => record.true_input_tokens - (base[index] ?? 0));
  const support = listFittedRules().map((rule) => {
    const changed = rule.withChange(PROBE_CHANGE);
    const uses = all.flatMap((clean, index): RuleUse[] => {
      const difference = count(clean, changed) - (base[index] ?? 0);
      const effect = rule.tokens === undefined ? difference : difference / PROBE_CHANGE;
      return effect === 0 ? [] : [{ index, repository: getRepository(clean), effect }];
    });
    const outsideEvidence = outside.filter((evidence) => evidence.rule === rule.name);
    const repositories = new Set(uses.map(({ repository }) => repository));
    for (const repository of repositories) {
      const change = computeChangeWithout(rule, uses, missingTokens, outsideEvidence, repository);
      if (change === 0) continue;
      for (const use of uses)
        if (use.repository === repository) {
          counts[use.index] = (counts[use.index] ?? 0) + change * use.effect;
          missingRules[use.index]?.push(rule.name);
        }
    }
    return summarizeSupport(rule, uses, missingTokens, outsideEvidence);
  });
  return {
    counts: counts.slice(0, records.length),
    missingRules: missingRules.slice(0, records.length),
    support,
    firstCallCount: firstCallRecords.length,
  };
}

/** Returns the change of a charge if `left` is excluded. For a format, 1 = off. */
function computeChangeWithout(
  rule: FittedRule,
  uses: readonly RuleUse[],
  missingTokens: readonly number[],
  outsideEvidence: readonly OutsideEvidence[],
  excluded: string,
): number {
  const others = uses.filter(({ repository }) => repository !== excluded);
  const otherEvidence = outsideEvidence.filter(({ repository }) => repository !== excluded);
  if (new Set([...others, ...otherEvidence].map(({ repository }) => repository)).size < (rule.minRepositories ?? 1))
    return rule.tokens === undefined ? 1 : rule.fallbackTokens - rule.tokens;
  const votes = new Map<number, number>();
  const addVote = (desiredChange: number, weight: number): void => {
    votes.set(desiredChange, (votes.get(desiredChange) ?? 0) + weight);
  };
  for (const { index, effect } of others) {
    const change = (missingTokens[index] ?? 0) / effect;
    const desiredChange = rule.tokens === undefined ? Number(change === 1) : Math.round(change);
    addVote(desiredChange, 1);
  }
  for (const { tokens, records } of otherEvidence) addVote(computeDifference(rule, tokens), records);
  return [...votes].sort((a, b) => b[1] - a[1] || Math.abs(a[0]) - Math.abs(b[0]))[0]?.[0] ?? 0;
}

/** Returns the change of a charge that a recording outside the sets implies. A format is confirmed. */
function computeDifference(rule: FittedRule, tokens: number | undefined): number {
  return rule.tokens === undefined || tokens === undefined ? 0 : tokens - rule.tokens;
}

function summarizeSupport(
  rule: FittedRule,
  uses: readonly RuleUse[],
  missingTokens: readonly number[],
  outsideEvidence: readonly OutsideEvidence[],
): RuleSupport {
  const withoutRule = rule.tokens === undefined ? 1 : rule.fallbackTokens - rule.tokens;
  const exact = uses.filter(({ index }) => missingTokens[index] === 0);
  const agreeing = outsideEvidence.filter(({ tokens }) => computeDifference(rule, tokens) === 0);
  const repositories = new Set([...uses, ...outsideEvidence].map(({ repository }) => repository));
  return {
    name: rule.name,
    tokens: rule.tokens,
    useCount: uses.length,
    exactCount: exact.length,
    outsideCount: agreeing.reduce((sum, { records }) => sum + records, 0),
    repositories: new Set([...exact, ...agreeing].map(({ repository }) => repository)).size,
    contraryCount: uses.filter(
      ({ index, effect }) => missingTokens[index] !== 0 && missingTokens[index] === withoutRule * effect,
    ).length,
    minRepositories: rule.minRepositories ?? 1,
    loneSource: repositories.size === 1 ? [...repositories][0] : undefined,
  };
}
