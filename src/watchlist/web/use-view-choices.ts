import { useState } from 'react';
import { readStored, writeStored } from '../../web/lib/browser-storage.ts';
import { useMember } from '../../web/lib/session.ts';
import { readChoices, type ViewChoices } from './view-choices.ts';

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
