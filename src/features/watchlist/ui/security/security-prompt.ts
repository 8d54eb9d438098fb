import type { AssistantQuestion } from '../../../portfolio/dashboard/ui/shared/dashboard-card.ts';
import { formatShortName } from '../../../securities/ui/shared/security-labels.ts';

/** Day change in percent from which the prompt asks for the reason. */
const NOTABLE_MOVE_PERCENT = 1;

/**
 * Returns the question for the assistant: why the ticker moves, or its news. The question never asks whether to buy or
 * sell.
 */
export function getTickerPrompt(ticker: {
  symbol: string;
  name: string | null;
  change_1d: number | null;
}): AssistantQuestion {
  const name = `${formatShortName(ticker)} (${ticker.symbol})`;
  const { symbol } = ticker;
  return ticker.change_1d !== null && Math.abs(ticker.change_1d) >= NOTABLE_MOVE_PERCENT
    ? { text: `Why is ${name} moving today?`, symbol, about: 'why_moving' }
    : { text: `What’s new with ${name}?`, symbol, about: 'whats_new' };
}
