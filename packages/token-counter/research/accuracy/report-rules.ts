/**
 * Formats the sections of docs/reference/accuracy.md about rules: their evidence, and the accuracy without a source.
 */
import { countable, exactByRule, families, features, type Group, inScope } from './classes.ts';
import { computeStatistics } from './error-statistics.ts';
import { type CrossValidation, getRepository, type RuleSupport } from './cross-validation.ts';
import type { OutsideEvidence } from './outside-evidence.ts';
import type { CleanRecord } from './records.ts';
import { type Column, toRows, withoutKnownErrors } from './report-rows.ts';

/** Formats each group counted with the current rules, and with each repository counted by rules fitted without it. */
export function formatCrossValidationTable(
  records: readonly CleanRecord[],
  ours: Column,
  crossValidated: CrossValidation,
): string[] {
  const crossValidatedColumn: Column = { name: 'left out', counts: crossValidated.counts };
  const formatLine = (group: Group): string => {
    const inSample = computeStatistics(toRows(records, ours, group.includes));
    const outOfSample = computeStatistics(toRows(records, crossValidatedColumn, group.includes));
    if (inSample === undefined || outOfSample === undefined) return `| ${group.title} | 0 | – | – | – | – | – | – |`;
    const repositories = new Set(records.filter(group.includes).map(getRepository)).size;
    return (
      `| ${group.title} | ${inSample.n} | ${repositories} | ${inSample.exact.toFixed(1)} | **${outOfSample.exact.toFixed(1)}** | ` +
      `${inSample.withinOne.toFixed(1)} | **${outOfSample.withinOne.toFixed(1)}** | ${outOfSample.p95.toFixed(2)} |`
    );
  };
  const groups = [
    inScope,
    withoutKnownErrors(inScope),
    exactByRule,
    countable,
    withoutKnownErrors(countable),
    ...families,
    ...features,
  ];
  return [
    '| group | n | repositories | exact %, seen | left out | within 1 %, seen | left out | p95 %, left out |',
    '|---|---|---|---|---|---|---|---|',
    ...groups.map(formatLine),
  ];
}

/** Formats the records that are inexact without their repository, by the missing rules, the most frequent first. */
export function formatMissesTable(
  records: readonly CleanRecord[],
  { counts, missingRules }: CrossValidation,
): string[] {
  const causes = new Map<string, CleanRecord[]>();
  records.forEach((clean, index) => {
    if (!inScope.includes(clean) || counts[index] === clean.record.true_input_tokens) return;
    const cause = missingRules[index]?.join('; ') || 'nothing: missed with all records as well';
    causes.set(cause, [...(causes.get(cause) ?? []), clean]);
  });
  const rows = [...causes].toSorted((a, b) => b[1].length - a[1].length);
  return [
    '| what the others do not show | records | without thinking, PDFs and documents | repositories |',
    '|---|---|---|---|',
    ...rows.map(
      ([cause, missed]) =>
        `| ${cause} | ${missed.length} | ${missed.filter(exactByRule.includes).length} | ` +
        `${[...new Set(missed.map(getRepository))].join(', ')} |`,
    ),
  ];
}

/** Formats public recordings outside the sets that are evidence for a rule. */
export function formatOutsideTable(evidence: readonly OutsideEvidence[]): string[] {
  return [
    '| rule | recorded counts | where |',
    '|---|---|---|',
    ...evidence.map(
      ({ rule, records, repository, location }) => `| ${rule} | ${records} | ${repository}: ${location} |`,
    ),
  ];
}

/** Formats the evidence of each fitted rule. */
export function formatSupportTable(support: readonly RuleSupport[]): string[] {
  return [
    '| rule | tokens | records | exact | elsewhere | repositories | against | |',
    '|---|---|---|---|---|---|---|---|',
    ...support.map(
      (rule) =>
        `| ${rule.name} | ${rule.tokens ?? 'form'} | ${rule.useCount} | ${rule.exactCount} | ${rule.outsideCount || ''} | ` +
        `${rule.repositories} | ` +
        `${rule.contraryCount} | ${describeStrength(rule)} |`,
    ),
  ];
}

function describeStrength({ useCount, outsideCount, repositories, minRepositories, loneSource }: RuleSupport): string {
  if (useCount + outsideCount === 0) return 'assumed';
  if (minRepositories > 1) return 'weak: as many charges as different requests';
  if (repositories === 0) return 'weak: exact nowhere';
  return repositories === 1 ? `weak: one source${loneSource === undefined ? ' is exact' : ''}` : '';
}
