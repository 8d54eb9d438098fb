/** Side on which popover and anchor are aligned. */
type Alignment = 'start' | 'end';

/**
 * Positions a popover below its anchor, or above if there is no room, inside the window. The content security policy
 * allows only styles that a script sets.
 */
export function positionPopover(popover: HTMLElement, anchor: HTMLElement, alignment: Alignment): void {
  const box = anchor.getBoundingClientRect();
  const { offsetHeight: height, offsetWidth: width } = popover;
  const fitsBelow = box.bottom + 4 + height <= window.innerHeight;
  const fitsAtStart = alignment === 'start' && box.left + width <= document.documentElement.clientWidth - 8;
  popover.style.inset = 'auto';
  popover.style.top = `${fitsBelow ? box.bottom + 4 : Math.max(8, box.top - 4 - height)}px`;
  popover.style.left = `${Math.max(8, fitsAtStart ? box.left : box.right - width)}px`;
}
