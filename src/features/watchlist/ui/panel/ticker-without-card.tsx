import { ErrorMessage } from '../../../../ui/kit/error-message.tsx';
import type { Watchlist } from '../../contract.ts';
import { SidePanel } from './side-panel.tsx';
import TickerPanel, { type TickerPanelProps } from './ticker-panel.tsx';

interface TickerWithoutCardProps extends Omit<TickerPanelProps, 'list'> {
  /** undefined if the read failed. `error` holds the reason. */
  list: Watchlist | undefined;
  error: unknown;
  retry: () => void;
}

/** Shows the panel for a followed URL if the card is removed or its list is unavailable. */
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
