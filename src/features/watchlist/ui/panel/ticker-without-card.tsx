import { ErrorMessage } from '../../../../ui/kit/error-message.tsx';
import type { Watchlist } from '../../contract.ts';
import { SidePanel } from './side-panel.tsx';
import TickerPanel, { type TickerPanelProps } from './ticker-panel.tsx';

interface TickerWithoutCardProps extends Omit<TickerPanelProps, 'list'> {
  /** Undefined where it could not be read, which `error` says. */
  list: Watchlist | undefined;
  error: unknown;
  retry: () => void;
}

/** The panel of an address that was followed where the card itself cannot open it: removed, or without its list. */
export default function TickerWithoutCard({ list, error, retry, ...panelProps }: TickerWithoutCardProps) {
  if (list) return <TickerPanel list={list} {...panelProps} />;
  return (
    <SidePanel title={panelProps.symbol}>
      <div className="mt-4">
        <ErrorMessage error={error} retry={retry} />
      </div>
    </SidePanel>
  );
}
