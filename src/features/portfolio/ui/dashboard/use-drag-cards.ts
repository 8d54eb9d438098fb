import { type HTMLAttributes, useEffect, useRef, useState } from 'react';
import type { CardId } from '../../dashboard/contract.ts';
import { cardAt, type CardBox } from './card-at.ts';

/** What is dragged, and the index that it would have if it were let go now. */
export interface CardDrag {
  id: CardId;
  to: number;
}

/** Closer than this to the window's edge, in pixels, the page scrolls on. */
const EDGE = 72;
/** What moves less, in pixels, was a press and no drag. */
const SLACK = 5;

interface Grip {
  id: CardId;
  card: HTMLElement;
  boxes: CardBox[];
  startX: number;
  startY: number;
  x: number;
  y: number;
  /** Where the page ended before the card could be dragged past its end, which makes the page longer. */
  lowest: number;
}

/**
 * Cards put in order with mouse, pen or finger, by the bar above them. The card follows the pointer by its style alone,
 * without a rendering of the page; rendered is only which place it would take. Escape puts it back. Returns the
 * pointer listeners of a card's handle.
 */
export function useDragCards(
  ids: readonly CardId[],
  onMove: (id: CardId, to: number) => void,
  onDrag: (drag: CardDrag | null) => void,
): (id: CardId) => HTMLAttributes<HTMLElement> {
  const [dragging, setDragging] = useState(false);
  const grip = useRef<Grip | null>(null);
  const live = useRef<CardDrag | null>(null);

  const show = (next: CardDrag | null): void => {
    live.current = next;
    setDragging(next !== null);
    onDrag(next);
  };

  function follow(): void {
    const held = grip.current;
    if (!held) return;
    const [x, y] = [held.x + scrollX, held.y + scrollY];
    const [byX, byY] = [x - held.startX, y - held.startY];
    if (!live.current && Math.hypot(byX, byY) < SLACK) return;
    held.card.style.translate = `${byX}px ${byY}px`;
    const to = cardAt(held.boxes, x, y);
    if (to !== live.current?.to) show({ id: held.id, to });
  }

  function finish(done: boolean): void {
    const { current: held } = grip;
    const { current: last } = live;
    grip.current = null;
    if (held) held.card.style.translate = '';
    if (!last) return;
    show(null);
    if (done && last.to !== ids.indexOf(last.id)) onMove(last.id, last.to);
  }

  useEffect(() => {
    if (!dragging) return;
    const cancel = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      finish(false);
    };
    addEventListener('keydown', cancel);
    let frame = requestAnimationFrame(function step() {
      const y = grip.current?.y ?? EDGE;
      const pull = y < EDGE ? y - EDGE : Math.max(0, y - innerHeight + EDGE);
      const before = scrollY;
      scrollTo(0, Math.min(before + pull / 4, grip.current?.lowest ?? before));
      if (scrollY !== before) follow();
      frame = requestAnimationFrame(step);
    });
    return () => {
      removeEventListener('keydown', cancel);
      cancelAnimationFrame(frame);
    };
    // oxlint-disable-next-line react/exhaustive-deps
  }, [dragging]);

  return (id) => ({
    onPointerDown(event) {
      const card = document.getElementById(`card-${id}`);
      if (event.button !== 0 || !card) return;
      // No text is marked and no picture dragged on the way.
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      const [x, y] = [event.clientX, event.clientY];
      grip.current = {
        id,
        card,
        boxes: ids.map(boxOf),
        startX: x + scrollX,
        startY: y + scrollY,
        x,
        y,
        lowest: document.documentElement.scrollHeight - innerHeight,
      };
    },
    onPointerMove(event) {
      if (!grip.current) return;
      Object.assign(grip.current, { x: event.clientX, y: event.clientY });
      follow();
    },
    onPointerUp: () => finish(true),
    onPointerCancel: () => finish(false),
  });
}

function boxOf(id: CardId): CardBox {
  const { left, top, right, bottom } = document.getElementById(`card-${id}`)?.getBoundingClientRect() ?? new DOMRect();
  return { left: left + scrollX, top: top + scrollY, right: right + scrollX, bottom: bottom + scrollY };
}
