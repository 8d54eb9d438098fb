import { useState } from 'react';
import { readStored, writeStored } from '../../../../ui/kit/browser-storage.ts';
import { useMember } from '../../../../ui/shell/session/session.ts';
import { type LineChoice, lineLabels } from '../list/second-line.ts';
import { type SortChoice, sortLabels } from '../list/sort-items.ts';

export interface ViewChoices {
  sort: SortChoice;
  line: LineChoice;
}

/** Choices of a list before the first change, and of every preview. */
export const defaultChoices: ViewChoices = { sort: 'mine', line: 'percent' };

/**
 * Returns the member's view choices of this browser and a function that changes them. The service never receives the
 * choices.
 */
export function useViewChoices(): [ViewChoices, (change: Partial<ViewChoices>) => void] {
  const key = `tally.watchlist.view.1.${useMember()?.userId ?? ''}`;
  const [chosen, setChosen] = useState<{ key: string; choices: ViewChoices } | null>(null);
  const choices = chosen?.key === key ? chosen.choices : parseChoices(readStored(key));
  const choose = (change: Partial<ViewChoices>): void => {
    const next = { ...choices, ...change };
    writeStored(key, JSON.stringify(next));
    setChosen({ key, choices: next });
  };
  return [choices, choose];
}

/** Parses stored choices. Replaces values that no longer exist with the defaults. */
export function parseChoices(stored: string | null): ViewChoices {
  try {
    const { sort, line } = (JSON.parse(stored ?? '{}') ?? {}) as Record<string, unknown>;
    return {
      sort: isKeyOf(sortLabels, sort) ? sort : defaultChoices.sort,
      line: isKeyOf(lineLabels, line) ? line : defaultChoices.line,
    };
  } catch {
    return defaultChoices;
  }
}

const isKeyOf = <Key extends string>(labels: Record<Key, string>, value: unknown): value is Key =>
  typeof value === 'string' && Object.hasOwn(labels, value);
