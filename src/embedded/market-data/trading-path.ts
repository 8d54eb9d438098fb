import type { Candle } from '../../market-data/domain/market-data-provider.ts';
import { drawNormal, drawUniform } from './seeded-random.ts';
import { getPreviousSessionDay, type Sessions } from './exchange-sessions.ts';
import { FIRST_DAY, getDayNumber } from './market-days.ts';
import { roundToStep, type PriceWalk } from './price-walk.ts';

export const GRID_MINUTES = 15;

/**
 * Returns prices of one session from the open (index 0) to the close, one per quarter of an hour. The last one is the
 * close of the day.
 */
export function getTradingPath(walk: PriceWalk, sessions: Sessions, date: string): number[] {
  const hours = sessions.getMinutes(date)!;
  const steps = Math.ceil((hours.close - hours.open) / GRID_MINUTES);
  const dayNumber = getDayNumber(date);
  const close = walk.getClose(date);
  const previousClose = date > FIRST_DAY ? walk.getClose(getPreviousSessionDay(sessions, date)) : close;
  const open = Math.log(previousClose) + walk.volatility * 0.3 * drawNormal(walk.seed, dayNumber, 1);
  const randomWalk = [0];
  for (let stepIndex = 1; stepIndex <= steps; stepIndex += 1)
    randomWalk.push(randomWalk[stepIndex - 1]! + drawNormal(walk.seed, dayNumber, stepIndex + 1));
  const scale = (walk.volatility * 0.7) / Math.sqrt(steps);
  return randomWalk.map((value, stepIndex) => {
    const progress = stepIndex / steps;
    const bridge = value - progress * randomWalk[steps]!;
    return stepIndex === steps
      ? close
      : roundToStep(Math.exp(open + (Math.log(close) - open) * progress + scale * bridge), walk.step);
  });
}

/** Returns the candle of the day if trading ended at this point of the path. */
export function toCandle(walk: PriceWalk, date: string, path: readonly number[], lastStep = path.length - 1): Candle {
  const pricesSoFar = path.slice(0, lastStep + 1);
  const fullDayVolume = Math.exp(
    13 + 4 * drawUniform(walk.seed, 1) + 0.3 * drawNormal(walk.seed, getDayNumber(date), 0.5),
  );
  return {
    date,
    open: pricesSoFar[0]!,
    high: Math.max(...pricesSoFar),
    low: Math.min(...pricesSoFar),
    close: pricesSoFar.at(-1)!,
    volume: Math.round((fullDayVolume * lastStep) / (path.length - 1)),
  };
}
