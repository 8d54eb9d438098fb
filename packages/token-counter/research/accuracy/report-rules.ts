/** The parts of docs/reference/accuracy.md about rules: what each rests on, and what the counter is worth without a source. */
import { countable, exactByRule, families, features, type Group, inScope } from './classes.ts';
import { computeStatistics } from './error-statistics.ts';
import { type CrossValidation, getRepository, type RuleSupport } from './cross-validation.ts';
import type { OutsideEvidence } from './outside-evidence.ts';
import type { CleanRecord } from './records.ts';
import { type Column, toRows, withoutKnownErrors } from './report-rows.ts';

/** Each group by the rules as they are, and with each repository counted by rules that were fitted without it. */
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
  return [
    '| group | n | repositories | exact %, seen | left out | within 1 %, seen | left out | p95 %, left out |',
    '|---|---|---|---|---|---|---|---|',
    ...[
      inScope,
      withoutKnownErrors(inScope),
      exactByRule,
      countable,
      withoutKnownErrors(countable),
      ...families,
      ...features,
    ].map(formatLine),
  ];
}

/** Records that are missed without their repository, by what the others do not show; the most frequent first. */
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

/** Public recordings outside the sets that speak of a rule. */
export function formatOutsideTable(evidence: readonly OutsideEvidence[]): string[] {
  return [
    '| rule | recorded counts | where |',
    '|---|---|---|',
    ...evidence.map(
      ({ rule, records, repository, location }) => `| ${rule} | ${records} | ${repository}: ${location} |`,
    ),
  ];
}

/** What each fitted rule rests on. */
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
