import { type HTMLAttributes, useEffect, useRef, useState } from 'react';
import type { CardId } from '../contract.ts';
import { getCardIndexAt, type CardBox } from './card-index-at.ts';

/** Dragged card with the index that a drop would give it. */
export interface CardDrag {
  id: CardId;
  to: number;
}

/** Distance to the window's edge in px within which the page scrolls. */
const AUTOSCROLL_EDGE_PX = 72;
/** Minimum movement in px of a drag. Less is a press. */
const DRAG_THRESHOLD_PX = 5;

interface DragState {
  id: CardId;
  card: HTMLElement;
  boxes: CardBox[];
  startX: number;
  startY: number;
  x: number;
  y: number;
  /** Scroll limit before the drag. A card dragged past the end would make the page longer. */
  maxScrollTop: number;
}

/**
 * Reorders cards with mouse, pen or finger by the bar above each. Only the card's style follows the pointer, without
 * rendering the page. A render happens only when the target position changes. Escape cancels. Returns the pointer
 * listeners of a card's handle.
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
    const x = state.x + scrollX;
    const y = state.y + scrollY;
    const deltaX = x - state.startX;
    const deltaY = y - state.startY;
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
      // Prevents text selection and image drags.
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      const x = event.clientX;
      const y = event.clientY;
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
