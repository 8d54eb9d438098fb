/** Rows of the report: counts of a column next to the recorded ones. */
import { features, type Group, inScope } from './classes.ts';
import type { CountedRecord } from './error-statistics.ts';
import { EXPLANATIONS, KNOWN_RECORDING_ERRORS, OUTDATED } from './known-recording-errors.ts';
import type { CleanRecord } from './records.ts';

export interface Column {
  name: string;
  /** Counts in the order of the records. */
  counts: readonly number[];
}

export function toRows(records: readonly CleanRecord[], column: Column, includes: Group['includes']): CountedRecord[] {
  return records.flatMap((clean, index) =>
    includes(clean)
      ? [
          {
            id: clean.record.id,
            source: clean.record.source,
            counted: column.counts[index] ?? 0,
            recorded: clean.record.true_input_tokens,
            knownError: getKnownError(clean),
          },
        ]
      : [],
  );
}

function getKnownError({ record, edited }: CleanRecord): string {
  return KNOWN_RECORDING_ERRORS[record.id] ?? OUTDATED[record.id] ?? (edited ? 'edited recording' : '');
}

/** Returns the inexact records with the features of each request, for few records, such as those of a new model. */
export function differencesTable(records: readonly CleanRecord[], { counts }: Column): string[] {
  const rows = records.flatMap(({ record }, index) => {
    const counted = counts[index] ?? 0;
    const difference = record.true_input_tokens - counted;
    const cells = [
      record.id,
      record.true_input_tokens,
      counted,
      difference > 0 ? `+${difference}` : difference,
      record.features.join(', '),
    ];
    return difference === 0 ? [] : [`| ${cells.join(' | ')} |`];
  });
  return [
    `${records.length - rows.length} of ${records.length} records are exact.`,
    '',
    ...(rows.length > 0
      ? ['| id | recorded | counted | to be added | it holds |', '|---|---|---|---|---|', ...rows, '']
      : []),
  ];
}

/** Returns whether a recording has no known error and is not of an older service. */
export function hasNoKnownError(clean: CleanRecord): boolean {
  return getKnownError(clean) === '';
}

/** Returns a group without the recordings that have a known error or are of an older service. */
export function withoutKnownErrors(group: Group): Group {
  return {
    title: 'The same, less faulty and outdated recordings',
    includes: (clean) => group.includes(clean) && hasNoKnownError(clean),
  };
}

/** Features in the order in which they explain a difference. A record is listed at the first one that it has. */
const FEATURE_ORDER = [
  'PDFs',
  'Text documents, search results, citations',
  'Thinking',
  'Output schema',
  'Forced tool choice',
  'Tool calls and results',
  'Tools, no calls yet',
  'Images',
  'System prompt',
];

/** Formats how many records of each feature are inexact, by how many tokens, and for what reasons. */
export function formatInexactTable(records: readonly CleanRecord[], { counts }: Column): string[] {
  const groups = FEATURE_ORDER.map((title) => features.find((group) => group.title === title)!);
  const rest: Group = { title: 'Text only', includes: () => true };
  const rows = new Map(
    [...groups, rest].map((group) => [group, { total: 0, differences: [] as number[], reasons: [] as string[] }]),
  );
  records.forEach((clean, index) => {
    if (!inScope.includes(clean)) return;
    const row = rows.get(groups.find((group) => group.includes(clean)) ?? rest)!;
    row.total += 1;
    const difference = clean.record.true_input_tokens - (counts[index] ?? 0);
    if (difference === 0) return;
    row.differences.push(difference);
    row.reasons.push(getKnownError(clean) || (EXPLANATIONS[clean.record.id] ?? 'not known'));
  });
  const formatReasons = (reasons: readonly string[]): string =>
    [...new Set(reasons)].map((reason) => `${reasons.filter((each) => each === reason).length} ${reason}`).join('; ');
  return [
    '| feature | records | inexact | recorded minus counted | reasons |',
    '|---|---|---|---|---|',
    ...Array.from(rows, ([{ title }, { total, differences, reasons }]) => {
      const range = differences.length === 0 ? '' : `${Math.min(...differences)} to ${Math.max(...differences)}`;
      return `| ${title} | ${total} | ${differences.length} | ${range} | ${formatReasons(reasons)} |`;
    }),
  ];
}
