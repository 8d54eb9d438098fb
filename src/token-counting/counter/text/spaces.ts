/** Prices white space: no piece mixes it with anything, nor one kind of it with another. */
import { BLANK, LINE_FEED, TAB } from './markers.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Price of the white space `units[start … end)`. */
type SpacePrice = (units: Uint16Array, start: number, end: number) => number;

export function createSpacePrice({ blanks, lineFeeds, tabs, ideographicSpaces }: Vocabulary): SpacePrice {
  return (units, start, end) => {
    let price = 0;
    for (let from = start; from < end;) {
      const unit = units[from]!;
      let to = from + 1;
      while (to < end && units[to] === unit) to++;
      if (to === from + 1) price++;
      else if (unit === BLANK) price += blanks(to - from);
      else if (unit === LINE_FEED) price += lineFeeds(to - from);
      else if (unit === TAB) price += tabs(to - from);
      else price += ideographicSpaces(to - from);
      from = to;
    }
    return price;
  };
}
