import { useState } from 'react';
import { readStored, writeStored } from '../../../../ui/kit/browser-storage.ts';
import { useMember } from '../../../../ui/shell/session/session.ts';
import { type LineChoice, lineLabels } from '../list/second-line.ts';
import { type SortChoice, sortLabels } from '../list/sort-items.ts';

export interface ViewChoices {
  sort: SortChoice;
  line: LineChoice;
}

/** What a list shows before anybody has chosen, and what every preview shows. */
export const firstChoices: ViewChoices = { sort: 'mine', line: 'percent' };

/** How this member looks at the list in this browser; never sent to the service. */
export function useViewChoices(): [ViewChoices, (change: Partial<ViewChoices>) => void] {
  const key = `tally.watchlist.view.1.${useMember()?.userId ?? ''}`;
  const [held, setHeld] = useState<{ key: string; choices: ViewChoices } | null>(null);
  const choices = held?.key === key ? held.choices : readChoices(readStored(key));
  const choose = (change: Partial<ViewChoices>): void => {
    const next = { ...choices, ...change };
    writeStored(key, JSON.stringify(next));
    setHeld({ key, choices: next });
  };
  return [choices, choose];
}

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
