import type { TickerDetail } from '../contract.ts';
import { shortName } from './item-words.ts';

/** Percent from which a day counts as a move worth a reason. */
const MOVE = 1;

/** What the assistant is asked of a ticker: why it is moving, or what is new; never whether to buy or sell. */
export function neutralQuestion(ticker: Pick<TickerDetail, 'symbol' | 'name' | 'change_1d'>): string {
  const name = `${shortName(ticker)} (${ticker.symbol})`;
  return ticker.change_1d !== null && Math.abs(ticker.change_1d) >= MOVE
    ? `Why is ${name} moving today?`
    : `What’s new with ${name}?`;
}
