/** Rows of the report: a column's counts beside the recorded ones. */
import type { Group } from './classes.ts';
import type { Counted } from './error-figures.ts';
import { KNOWN_FAULTS, OUTDATED } from './known-faults.ts';
import type { CleanRecord } from './records.ts';

export interface Column {
  name: string;
  /** Counts in the order of the records. */
  counts: readonly number[];
}

export function rowsOf(records: readonly CleanRecord[], column: Column, holds: Group['holds']): Counted[] {
  return records.flatMap((clean, index) =>
    holds(clean)
      ? [
          {
            id: clean.record.id,
            source: clean.record.source,
            counted: column.counts[index] ?? 0,
            recorded: clean.record.true_input_tokens,
            fault: faultOf(clean),
          },
        ]
      : [],
  );
}

function faultOf({ record, edited }: CleanRecord): string {
  return KNOWN_FAULTS[record.id] ?? OUTDATED[record.id] ?? (edited ? 'edited recording' : '');
}

/** The records that are not exact, with what each request holds: for few records, such as a new model's. */
export function differencesTable(records: readonly CleanRecord[], { counts }: Column): string[] {
  const rows = records.flatMap(({ record }, index) => {
    const counted = counts[index] ?? 0;
    const off = record.true_input_tokens - counted;
    const cells = [record.id, record.true_input_tokens, counted, off > 0 ? `+${off}` : off, record.features.join(', ')];
    return off === 0 ? [] : [`| ${cells.join(' | ')} |`];
  });
  return [
    `${records.length - rows.length} of ${records.length} records are exact.`,
    '',
    ...(rows.length > 0
      ? ['| id | recorded | counted | to be added | it holds |', '|---|---|---|---|---|', ...rows, '']
      : []),
  ];
}

/** Nothing is known to be wrong with the recording, nor is it of an older service. */
export function isSound(clean: CleanRecord): boolean {
  return faultOf(clean) === '';
}

/** A group less the recordings that are known to be faulty or of an older service. */
export function soundOf(group: Group): Group {
  return {
    title: 'The same, less faulty and outdated recordings',
    holds: (clean) => group.holds(clean) && isSound(clean),
  };
}
