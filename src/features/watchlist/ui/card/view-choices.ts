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
export const defaultChoices: ViewChoices = { sort: 'mine', line: 'percent' };

/** How this member looks at the list in this browser; never sent to the service. */
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

/** Reads what was stored; whatever is not a choice of today counts as never chosen. */
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
