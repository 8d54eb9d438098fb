/** The parts of docs/reference/accuracy.md about rules: what each rests on, and what the counter is worth without a source. */
import { countable, exactByRule, families, features, type Group, inScope } from './classes.ts';
import { figuresOf } from './error-figures.ts';
import { type LeftOut, repositoryOf, type Support } from './leave-one-out.ts';
import type { OutsideEvidence } from './outside-evidence.ts';
import type { CleanRecord } from './records.ts';
import { type Column, rowsOf, soundOf } from './report-rows.ts';

/** Each group by the rules as they are, and with each repository counted by rules that were fitted without it. */
export function leftOutTable(records: readonly CleanRecord[], ours: Column, leftOut: LeftOut): string[] {
  const without: Column = { name: 'left out', counts: leftOut.counts };
  const line = (group: Group): string => {
    const seen = figuresOf(rowsOf(records, ours, group.holds));
    const unseen = figuresOf(rowsOf(records, without, group.holds));
    if (seen === undefined || unseen === undefined) return `| ${group.title} | 0 | – | – | – | – | – | – |`;
    const repositories = new Set(records.filter(group.holds).map(repositoryOf)).size;
    return (
      `| ${group.title} | ${seen.n} | ${repositories} | ${seen.exact.toFixed(1)} | **${unseen.exact.toFixed(1)}** | ` +
      `${seen.withinOne.toFixed(1)} | **${unseen.withinOne.toFixed(1)}** | ${unseen.p95.toFixed(2)} |`
    );
  };
  return [
    '| group | n | repositories | exact %, seen | left out | within 1 %, seen | left out | p95 %, left out |',
    '|---|---|---|---|---|---|---|---|',
    ...[inScope, soundOf(inScope), exactByRule, countable, soundOf(countable), ...families, ...features].map(line),
  ];
}

/** Records that are missed without their repository, by what the others do not show; the most frequent first. */
export function missesTable(records: readonly CleanRecord[], { counts, lacks }: LeftOut): string[] {
  const causes = new Map<string, CleanRecord[]>();
  records.forEach((clean, index) => {
    if (!inScope.holds(clean) || counts[index] === clean.record.true_input_tokens) return;
    const cause = lacks[index]?.join('; ') || 'nothing: missed with all records as well';
    causes.set(cause, [...(causes.get(cause) ?? []), clean]);
  });
  const rows = [...causes].toSorted((a, b) => b[1].length - a[1].length);
  return [
    '| what the others do not show | records | without thinking, PDFs and documents | repositories |',
    '|---|---|---|---|',
    ...rows.map(
      ([cause, missed]) =>
        `| ${cause} | ${missed.length} | ${missed.filter(exactByRule.holds).length} | ` +
        `${[...new Set(missed.map(repositoryOf))].join(', ')} |`,
    ),
  ];
}

/** Public recordings outside the sets that speak of a rule. */
export function outsideTable(evidence: readonly OutsideEvidence[]): string[] {
  return [
    '| rule | recorded counts | where |',
    '|---|---|---|',
    ...evidence.map(({ rule, records, repository, where }) => `| ${rule} | ${records} | ${repository}: ${where} |`),
  ];
}

/** What each fitted rule rests on. */
export function supportTable(support: readonly Support[]): string[] {
  return [
    '| rule | tokens | records | exact | elsewhere | repositories | against | |',
    '|---|---|---|---|---|---|---|---|',
    ...support.map(
      (rule) =>
        `| ${rule.name} | ${rule.tokens ?? 'form'} | ${rule.used} | ${rule.exact} | ${rule.outside || ''} | ` +
        `${rule.repositories} | ` +
        `${rule.against} | ${strength(rule)} |`,
    ),
  ];
}

function strength({ used, outside, repositories, needs, loneSource }: Support): string {
  if (used + outside === 0) return 'assumed';
  if (needs > 1) return 'weak: as many charges as different requests';
  if (repositories === 0) return 'weak: exact nowhere';
  return repositories === 1 ? `weak: one source${loneSource === undefined ? ' is exact' : ''}` : '';
}
