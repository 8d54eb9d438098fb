import { MODIFIER_KEY } from '../../../../ui/shell/navigation/modifier-key.ts';
import type { ShortcutGroup } from '../../../../ui/shell/navigation/shortcut-list.ts';

interface ShortcutConditions {
  hasRows: boolean;
  maySetAlerts: boolean;
}

/** Returns the keys of the card that work with its rows. */
export const listShortcuts = ({ hasRows, maySetAlerts }: ShortcutConditions): ShortcutGroup => ({
  title: 'Watchlist',
  shortcuts: [
    ['/', 'In the card: search for tickers to add'],
    ...(hasRows
      ? ([
          ['↑ ↓', 'On a row: go to the next one'],
          ['Home, End', 'On a row: go to the first or last one'],
          ['Enter', 'On a row: open its security'],
        ] as const)
      : []),
    ...(hasRows && maySetAlerts ? ([['A', 'On a row: set an alert']] as const) : []),
    [`${MODIFIER_KEY} Z`, 'Undo the last removal or move'],
  ],
});
