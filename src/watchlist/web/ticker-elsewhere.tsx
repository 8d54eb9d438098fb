import { Failure } from '../../web/ui/failure.tsx';
import type { TickerDetail, Watchlist } from '../contract.ts';
import type { AssistantQuestion } from './neutral-question.ts';
import { SidePanel } from './side-panel.tsx';
import TickerPanel from './ticker-panel.tsx';

export interface TickerElsewhereProps {
  symbol: string;
  /** Undefined where it could not be read, which `error` says. */
  list: Watchlist | undefined;
  error: unknown;
  retry: () => void;
  privacy: boolean;
  onBought: (security: Pick<TickerDetail, 'symbol' | 'name'>) => void;
  onAsk: (question: AssistantQuestion) => void;
}

/** The panel of an address that was followed where the card itself cannot open it: put away, or without its list. */
export default function TickerElsewhere({
  symbol,
  list,
  error,
  retry,
  privacy,
  onBought,
  onAsk,
}: TickerElsewhereProps) {
  if (list) return <TickerPanel symbol={symbol} list={list} privacy={privacy} onBought={onBought} onAsk={onAsk} />;
  return (
    <SidePanel title={symbol}>
      <div className="mt-4">
        <Failure error={error} retry={retry} />
      </div>
    </SidePanel>
  );
}
