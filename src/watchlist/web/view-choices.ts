import { type LineChoice, lineLabels } from './second-line.ts';
import { type SortChoice, sortLabels } from './sort-items.ts';

export interface ViewChoices {
  sort: SortChoice;
  line: LineChoice;
}

/** What a list shows before anybody has chosen, and what every preview shows. */
export const firstChoices: ViewChoices = { sort: 'mine', line: 'percent' };

/** Reads what was stored; whatever is not a choice of today counts as never chosen. */
export function readChoices(stored: string | null): ViewChoices {
  try {
    const { sort, line } = (JSON.parse(stored ?? '{}') ?? {}) as Record<string, unknown>;
    return {
      sort: isOf(sortLabels, sort) ? sort : firstChoices.sort,
      line: isOf(lineLabels, line) ? line : firstChoices.line,
    };
  } catch {
    return firstChoices;
  }
}

const isOf = <Key extends string>(labels: Record<Key, string>, value: unknown): value is Key =>
  typeof value === 'string' && Object.hasOwn(labels, value);
