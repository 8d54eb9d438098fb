import { useState } from 'react';
import { listShortcuts } from '../../../features/watchlist/ui/card/list-shortcuts.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { useMaySetAlerts } from '../alerts/alert-request.ts';
import { MODIFIER_KEY } from '../navigation/modifier-key.ts';
import type { ShortcutGroup } from '../navigation/shortcut-list.ts';

const everywhere: ShortcutGroup = {
  title: 'On every page',
  shortcuts: [
    [`${MODIFIER_KEY} K, or /`, 'Search securities, pages and actions'],
    [`${MODIFIER_KEY} K, its name, Enter`, 'Go to a page'],
    ['Esc', 'Close what is open'],
    ['?', 'This list'],
  ],
};

const rows: ShortcutGroup = {
  title: 'Rows of figures',
  shortcuts: [['← →', 'On a row: go to its other figures']],
};

/** Lists the keyboard shortcuts that work on the current page. */
export default function Shortcuts({ onClose }: { onClose: () => void }) {
  const maySetAlerts = useMaySetAlerts();
  const [groups] = useState(() => [
    everywhere,
    // A figure that Tab does not reach.
    ...(document.querySelector('.explained[tabindex="-1"]') ? [rows] : []),
    ...(document.getElementById('card-watchlist')
      ? [listShortcuts({ hasRows: document.querySelector('#card-watchlist [data-symbol]') !== null, maySetAlerts })]
      : []),
  ]);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} startsAtHeading>
      {groups.map(({ title, shortcuts }) => (
        <section key={title} aria-label={title} className="mt-4">
          <h3 className="pb-1 text-small font-semibold">{title}</h3>
          <dl className="grid text-small">
            {shortcuts.map(([keys, description]) => (
              <div key={keys} className="flex items-baseline justify-between gap-4 border-t border-line py-2">
                <dt className="text-ink-soft">{description}</dt>
                <dd className="text-end font-mono font-medium">{keys}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <div className="mt-4 flex justify-end">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
