import { Failure } from '../../../../ui/kit/failure.tsx';
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
export default function TickerWithoutCard({ list, error, retry, ...panel }: TickerWithoutCardProps) {
  if (list) return <TickerPanel list={list} {...panel} />;
  return (
    <SidePanel title={panel.symbol}>
      <div className="mt-4">
        <Failure error={error} retry={retry} />
      </div>
    </SidePanel>
  );
}
