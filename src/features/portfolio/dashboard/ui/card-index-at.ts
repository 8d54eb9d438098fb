/** Rectangle of a card on the page, in pixels from the top left corner. */
export type CardBox = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>;

/** Returns the index of the card under a point of the page, or of the nearest one. Returns -1 without cards. */
export function getCardIndexAt(boxes: readonly CardBox[], x: number, y: number): number {
  const distances = boxes.map(({ left, top, right, bottom }) =>
    Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom)),
  );
  return distances.indexOf(Math.min(...distances));
}
