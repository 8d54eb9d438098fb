/**
 * Counts each repository's records by rules that were fitted without it: a charge takes the value that most records
 * of the other repositories ask for, or what would stand there without any record; a form stays on only where they
 * hold it.
 */
import { FITTED_RULES, type FittedRules } from '../../src/prompt/fitted.ts';
import { fittedRules, type FittedRule } from './fitted-rules.ts';
import type { OutsideEvidence } from './outside-evidence.ts';
import type { CleanRecord } from './records.ts';

export interface Support {
  name: string;
  tokens: number | undefined;
  /** Records that the rule changes, those that are exact with it, and their repositories. */
  used: number;
  exact: number;
  /** Recorded counts outside the sets that hold the rule; their repositories are among those above. */
  outside: number;
  repositories: number;
  /** Records that would be exact without the rule (a charge: at its value without records), and are not with it. */
  against: number;
  /** Repositories that it took to fit the rule along with others. */
  needs: number;
  /** Repositories whose own records alone hold the rule. */
  loneSource: string | undefined;
}

export interface LeftOut {
  counts: number[];
  /** Of each record, the rules that are otherwise, or off, without its repository. */
  lacks: string[][];
  support: Support[];
  /** Records that took part in the fitting alone. */
  witnesses: number;
}

/** Repository of a record: `owner/name`. */
export function repositoryOf({ record }: CleanRecord): string {
  return /^[^/]+\/[^/:]+/.exec(record.source)?.[0] ?? record.source;
}

const PROBE = 1000;

interface Use {
  index: number;
  repository: string;
  /** How often a charge is made, or what turning a form off adds. */
  effect: number;
}

/**
 * @param count counts one record by the given rules
 * @param witnesses further records that rules are fitted to, which are not counted themselves
 * @param outside what public recordings of other repositories ask of a rule
 */
export function leaveOneOut(
  records: readonly CleanRecord[],
  count: (clean: CleanRecord, rules: FittedRules) => number,
  witnesses: readonly CleanRecord[] = [],
  outside: readonly OutsideEvidence[] = [],
): LeftOut {
  const all = [...records, ...witnesses];
  const base = all.map((clean) => count(clean, FITTED_RULES));
  const counts = [...base];
  const lacks = all.map((): string[] => []);
  const missing = all.map(({ record }, index) => record.true_input_tokens - (base[index] ?? 0));
  const support = fittedRules().map((rule) => {
    const changed = rule.change(PROBE);
    const uses = all.flatMap((clean, index): Use[] => {
      const difference = count(clean, changed) - (base[index] ?? 0);
      const effect = rule.tokens === undefined ? difference : difference / PROBE;
      return effect === 0 ? [] : [{ index, repository: repositoryOf(clean), effect }];
    });
    const elsewhere = outside.filter((evidence) => evidence.rule === rule.name);
    const repositories = new Set(uses.map(({ repository }) => repository));
    for (const repository of repositories) {
      const change = changeWithout(rule, uses, missing, elsewhere, repository);
      if (change === 0) continue;
      for (const use of uses)
        if (use.repository === repository) {
          counts[use.index] = (counts[use.index] ?? 0) + change * use.effect;
          lacks[use.index]?.push(rule.name);
        }
    }
    return supportOf(rule, uses, missing, elsewhere);
  });
  return {
    counts: counts.slice(0, records.length),
    lacks: lacks.slice(0, records.length),
    support,
    witnesses: witnesses.length,
  };
}

/** By how much a charge differs where `left` is not looked at; for a form, 1 = off. */
function changeWithout(
  rule: FittedRule,
  uses: readonly Use[],
  missing: readonly number[],
  elsewhere: readonly OutsideEvidence[],
  left: string,
): number {
  const others = uses.filter(({ repository }) => repository !== left);
  const further = elsewhere.filter(({ repository }) => repository !== left);
  if (new Set([...others, ...further].map(({ repository }) => repository)).size < (rule.needs ?? 1))
    return rule.tokens === undefined ? 1 : rule.otherwise - rule.tokens;
  const votes = new Map<number, number>();
  const vote = (wanted: number, times: number): void => void votes.set(wanted, (votes.get(wanted) ?? 0) + times);
  for (const { index, effect } of others) {
    const change = (missing[index] ?? 0) / effect;
    const wanted = rule.tokens === undefined ? Number(change === 1) : Math.round(change);
    vote(wanted, 1);
  }
  for (const { tokens, records } of further) vote(differenceOf(rule, tokens), records);
  return [...votes].sort((a, b) => b[1] - a[1] || Math.abs(a[0]) - Math.abs(b[0]))[0]?.[0] ?? 0;
}

/** What a recording outside the sets asks a charge to differ by; a form it holds. */
function differenceOf(rule: FittedRule, tokens: number | undefined): number {
  return rule.tokens === undefined || tokens === undefined ? 0 : tokens - rule.tokens;
}

function supportOf(
  rule: FittedRule,
  uses: readonly Use[],
  missing: readonly number[],
  elsewhere: readonly OutsideEvidence[],
): Support {
  const without = rule.tokens === undefined ? 1 : rule.otherwise - rule.tokens;
  const exact = uses.filter(({ index }) => missing[index] === 0);
  const holding = elsewhere.filter(({ tokens }) => differenceOf(rule, tokens) === 0);
  const repositories = new Set([...uses, ...elsewhere].map(({ repository }) => repository));
  return {
    name: rule.name,
    tokens: rule.tokens,
    used: uses.length,
    exact: exact.length,
    outside: holding.reduce((sum, { records }) => sum + records, 0),
    repositories: new Set([...exact, ...holding].map(({ repository }) => repository)).size,
    against: uses.filter(({ index, effect }) => missing[index] !== 0 && missing[index] === without * effect).length,
    needs: rule.needs ?? 1,
    loneSource: repositories.size === 1 ? [...repositories][0] : undefined,
  };
}
