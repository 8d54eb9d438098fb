import { marketCalendar } from '../../market-data/domain/market-calendar.ts';
import type { Candle } from '../../market-data/domain/market-data-provider.ts';
import { normal, uniform } from './draw.ts';
import { marketDayAt } from './market-days.ts';
import { toStep, type Walk } from './walk.ts';

export const GRID_MINUTES = 15;

/**
 * Prices of one market day from the open (0) to the close, each quarter of an hour; the last one is the day's close.
 */
export function pathOf(walk: Walk, place: number): number[] {
  const steps = marketCalendar.isHalfDay(marketDayAt(place)) ? 14 : 26;
  const close = walk.closeAt(place);
  const before = place > 0 ? walk.closeAt(place - 1) : close;
  const open = Math.log(before) + walk.own * 0.3 * normal(walk.seed, place, 1);
  const wander = [0];
  for (let at = 1; at <= steps; at += 1) wander.push(wander[at - 1]! + normal(walk.seed, place, at + 1));
  const scale = (walk.own * 0.7) / Math.sqrt(steps);
  return wander.map((value, at) => {
    const share = at / steps;
    const bridge = value - share * wander[steps]!;
    return at === steps ? close : toStep(Math.exp(open + (Math.log(close) - open) * share + scale * bridge), walk.step);
  });
}

/** The day so far: what a candle would hold if trading ended at this point of the path. */
export function candleOf(walk: Walk, place: number, path: readonly number[], upTo = path.length - 1): Candle {
  const seen = path.slice(0, upTo + 1);
  const whole = Math.exp(13 + 4 * uniform(walk.seed, 1) + 0.3 * normal(walk.seed, place, 0.5));
  return {
    date: marketDayAt(place),
    open: seen[0]!,
    high: Math.max(...seen),
    low: Math.min(...seen),
    close: seen.at(-1)!,
    volume: Math.round((whole * upTo) / (path.length - 1)),
  };
}
