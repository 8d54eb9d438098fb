import { Button } from '../../../../ui/kit/button.tsx';
import { Dialog } from '../../../../ui/kit/dialog.tsx';

const shortcuts = [
  ['/', 'In this card: search for tickers to add'],
  ['↑ ↓', 'Move between rows'],
  ['Home End', 'Go to the first or last row'],
  ['Enter', 'Open the row’s details'],
  ['Ctrl + Z', 'Undo the last removal or move'],
  ['Esc', 'Close the open panel'],
  ['?', 'This list'],
] as const;

/** Lists the keyboard shortcuts of the watchlist. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} startsAtHeading>
      <dl className="mt-3 grid text-small">
        {shortcuts.map(([key, description]) => (
          <div key={key} className="flex items-baseline justify-between gap-4 border-t border-line py-2">
            <dt className="text-ink-soft">{description}</dt>
            <dd className="whitespace-nowrap font-mono font-medium">{key}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-4 flex justify-end">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
