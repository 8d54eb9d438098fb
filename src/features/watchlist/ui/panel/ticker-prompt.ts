import type { AssistantQuestion } from '../../../../ui/shell/dashboard/dashboard-card.ts';
import type { TickerDetail } from '../../contract.ts';
import { formatShortName } from '../list/item-labels.ts';

/** Percent from which a day counts as a move worth a reason. */
const NOTABLE_MOVE_PERCENT = 1;

/** What the assistant is asked of a ticker: why it is moving, or what is new; never whether to buy or sell. */
export function getTickerPrompt(ticker: Pick<TickerDetail, 'symbol' | 'name' | 'change_1d'>): AssistantQuestion {
  const name = `${formatShortName(ticker)} (${ticker.symbol})`;
  const { symbol } = ticker;
  return ticker.change_1d !== null && Math.abs(ticker.change_1d) >= NOTABLE_MOVE_PERCENT
    ? { text: `Why is ${name} moving today?`, symbol, about: 'why_moving' }
    : { text: `What’s new with ${name}?`, symbol, about: 'whats_new' };
}
