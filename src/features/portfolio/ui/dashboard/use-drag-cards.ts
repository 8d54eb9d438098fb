import { type HTMLAttributes, useEffect, useRef, useState } from 'react';
import type { CardId } from '../../dashboard/contract.ts';
import { getCardIndexAt, type CardBox } from './card-index-at.ts';

/** What is dragged, and the index that it would have if it were let go now. */
export interface CardDrag {
  id: CardId;
  to: number;
}

/** Closer than this to the window's edge, in pixels, the page scrolls on. */
const AUTOSCROLL_EDGE_PX = 72;
/** What moves less, in pixels, was a press and no drag. */
const DRAG_THRESHOLD_PX = 5;

interface DragState {
  id: CardId;
  card: HTMLElement;
  boxes: CardBox[];
  startX: number;
  startY: number;
  x: number;
  y: number;
  /** Where the page ended before the card could be dragged past its end, which makes the page longer. */
  maxScrollTop: number;
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
  const [isDragging, setIsDragging] = useState(false);
  const dragState = useRef<DragState | null>(null);
  const currentDrag = useRef<CardDrag | null>(null);

  const setCurrentDrag = (next: CardDrag | null): void => {
    currentDrag.current = next;
    setIsDragging(next !== null);
    onDrag(next);
  };

  function followPointer(): void {
    const state = dragState.current;
    if (!state) return;
    const [x, y] = [state.x + scrollX, state.y + scrollY];
    const [deltaX, deltaY] = [x - state.startX, y - state.startY];
    if (!currentDrag.current && Math.hypot(deltaX, deltaY) < DRAG_THRESHOLD_PX) return;
    state.card.style.translate = `${deltaX}px ${deltaY}px`;
    const to = getCardIndexAt(state.boxes, x, y);
    if (to !== currentDrag.current?.to) setCurrentDrag({ id: state.id, to });
  }

  function finish(isDropped: boolean): void {
    const { current: state } = dragState;
    const { current: lastDrag } = currentDrag;
    dragState.current = null;
    if (state) state.card.style.translate = '';
    if (!lastDrag) return;
    setCurrentDrag(null);
    if (isDropped && lastDrag.to !== ids.indexOf(lastDrag.id)) onMove(lastDrag.id, lastDrag.to);
  }

  useEffect(() => {
    if (!isDragging) return;
    const cancel = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      finish(false);
    };
    addEventListener('keydown', cancel);
    let frame = requestAnimationFrame(function step() {
      const y = dragState.current?.y ?? AUTOSCROLL_EDGE_PX;
      const scrollSpeed =
        y < AUTOSCROLL_EDGE_PX ? y - AUTOSCROLL_EDGE_PX : Math.max(0, y - innerHeight + AUTOSCROLL_EDGE_PX);
      const previousScrollY = scrollY;
      scrollTo(0, Math.min(previousScrollY + scrollSpeed / 4, dragState.current?.maxScrollTop ?? previousScrollY));
      if (scrollY !== previousScrollY) followPointer();
      frame = requestAnimationFrame(step);
    });
    return () => {
      removeEventListener('keydown', cancel);
      cancelAnimationFrame(frame);
    };
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isDragging]);

  return (id) => ({
    onPointerDown(event) {
      const card = document.getElementById(`card-${id}`);
      if (event.button !== 0 || !card) return;
      // No text is marked and no picture dragged on the way.
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      const [x, y] = [event.clientX, event.clientY];
      dragState.current = {
        id,
        card,
        boxes: ids.map(getCardBox),
        startX: x + scrollX,
        startY: y + scrollY,
        x,
        y,
        maxScrollTop: document.documentElement.scrollHeight - innerHeight,
      };
    },
    onPointerMove(event) {
      if (!dragState.current) return;
      Object.assign(dragState.current, { x: event.clientX, y: event.clientY });
      followPointer();
    },
    onPointerUp: () => finish(true),
    onPointerCancel: () => finish(false),
  });
}

function getCardBox(id: CardId): CardBox {
  const { left, top, right, bottom } = document.getElementById(`card-${id}`)?.getBoundingClientRect() ?? new DOMRect();
  return { left: left + scrollX, top: top + scrollY, right: right + scrollX, bottom: bottom + scrollY };
}
