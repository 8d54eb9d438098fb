import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';

export interface Drag {
  symbol: string;
  from: number;
  /** Where the row would stand if it were let go now, from 0. */
  to: number;
  /** The first and the last place over which the row has been: rows between them have moved. */
  movedRange: readonly [number, number];
  /** Pixels from where it was taken, with a pointer; 0 with keys. */
  offset: number;
  input: 'pointer' | 'keys';
}

interface SortableListOptions {
  count: number;
  /** The part that scrolls, for dragging past its edge. */
  getScrollContainer: () => HTMLElement | null;
  /** Where a row stands now, which keys pressed in quick succession are ahead of on screen. */
  getIndex: (symbol: string) => number;
  onMove: (symbol: string, to: number) => void;
  /** Told at each step of a drag, for screen readers. */
  onChange: (change: 'taken' | 'over' | 'dropped' | 'cancelled', symbol: string, to: number) => void;
}

const AUTOSCROLL_EDGE_PX = 48;
/** Of every row, in pixels, as its class says: where a row goes is then a division, whatever the list's length. */
const ROW_HEIGHT_PX = 52;

const updateDrag = (drag: Drag, to: number, offset = 0): Drag => ({
  ...drag,
  to,
  offset,
  movedRange: [Math.min(drag.movedRange[0], to), Math.max(drag.movedRange[1], to)],
});

/**
 * Rows that are put in order by a handle: dragged with mouse, pen or finger, or taken with Enter or Space, moved with
 * the arrows, let go with Enter, Space or Tab, cancelled with Escape. Our own, since ready-made lists speak to a live
 * region outside the modal dialog, which is inert there, and drag by HTML's drag and drop, which fingers on many phones
 * do not have.
 */
export function useSortableList({ count, getScrollContainer, getIndex, onMove, onChange }: SortableListOptions) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const pointer = useRef({ startY: 0, startScroll: 0, y: 0 });
  const currentDrag = useRef<Drag | null>(null);

  const setCurrentDrag = (next: Drag | null): void => {
    currentDrag.current = next;
    setDrag(next);
  };

  function followPointer(): void {
    const current = currentDrag.current;
    if (!current) return;
    const scrolled = (getScrollContainer()?.scrollTop ?? 0) - pointer.current.startScroll;
    const offset = pointer.current.y - pointer.current.startY + scrolled;
    const to = Math.max(0, Math.min(count - 1, current.from + Math.round(offset / ROW_HEIGHT_PX)));
    if (to !== current.to) onChange('over', current.symbol, to);
    setCurrentDrag(updateDrag(current, to, offset));
  }

  // Near an edge the list scrolls on while the pointer rests.
  const isDragging = drag?.input === 'pointer';
  useEffect(() => {
    if (!isDragging) return;
    let frame = requestAnimationFrame(function step() {
      const container = getScrollContainer();
      if (container) {
        const { top, bottom } = container.getBoundingClientRect();
        const scrollSpeed =
          pointer.current.y < top + AUTOSCROLL_EDGE_PX
            ? pointer.current.y - top - AUTOSCROLL_EDGE_PX
            : Math.max(0, pointer.current.y - bottom + AUTOSCROLL_EDGE_PX);
        const previousTop = container.scrollTop;
        container.scrollTop += scrollSpeed / 4;
        if (container.scrollTop !== previousTop) followPointer();
      }
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isDragging]);

  function finish(isDropped: boolean): void {
    const current = currentDrag.current;
    if (!current) return;
    setCurrentDrag(null);
    onChange(isDropped ? 'dropped' : 'cancelled', current.symbol, isDropped ? current.to : current.from);
    if (isDropped && current.to !== current.from) onMove(current.symbol, current.to);
  }

  return {
    drag,
    /** Pixels by which the row at an index stands aside. */
    getTranslateY(index: number): number {
      if (!drag) return 0;
      if (index === drag.from) return drag.input === 'pointer' ? drag.offset : (drag.to - drag.from) * ROW_HEIGHT_PX;
      if (drag.from < index && index <= drag.to) return -ROW_HEIGHT_PX;
      return drag.to <= index && index < drag.from ? ROW_HEIGHT_PX : 0;
    },
    /**
     * Whether the row at an index has moved in this drag: it goes softly, also back. The others need not be drawn for
     * that.
     */
    isAnimated: (index: number) => drag !== null && drag.movedRange[0] <= index && index <= drag.movedRange[1],
    getHandleProps: (symbol: string, index: number) => ({
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        pointer.current = {
          startY: event.clientY,
          y: event.clientY,
          startScroll: getScrollContainer()?.scrollTop ?? 0,
        };
        setCurrentDrag({ symbol, from: index, to: index, movedRange: [index, index], offset: 0, input: 'pointer' });
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        if (currentDrag.current?.input !== 'pointer') return;
        pointer.current.y = event.clientY;
        followPointer();
      },
      onPointerUp: () => currentDrag.current?.input === 'pointer' && finish(true),
      onPointerCancel: () => currentDrag.current?.input === 'pointer' && finish(false),
      onBlur: () => currentDrag.current?.input === 'keys' && finish(true),
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        const current = currentDrag.current;
        const step = { ArrowUp: -1, ArrowDown: 1 }[event.key] ?? 0;
        if (event.altKey && step !== 0 && !current) {
          event.preventDefault();
          const to = getIndex(symbol) + step;
          if (to < 0 || to >= count) return;
          onChange('dropped', symbol, to);
          return onMove(symbol, to);
        }
        if (event.key === 'Enter' || event.key === ' ') {
          event.preventDefault();
          if (current) return finish(true);
          onChange('taken', symbol, index);
          return setCurrentDrag({
            symbol,
            from: index,
            to: index,
            movedRange: [index, index],
            offset: 0,
            input: 'keys',
          });
        }
        if (!current) return;
        if (event.key === 'Escape') {
          event.preventDefault();
          event.stopPropagation();
          return finish(false);
        }
        const targetIndex = { ArrowUp: current.to - 1, ArrowDown: current.to + 1, Home: 0, End: count - 1 }[event.key];
        if (targetIndex === undefined) return;
        event.preventDefault();
        const to = Math.max(0, Math.min(count - 1, targetIndex));
        if (to === current.to) return;
        onChange('over', symbol, to);
        setCurrentDrag(updateDrag(current, to));
        getScrollContainer()?.scrollBy({ top: (to - current.to) * ROW_HEIGHT_PX });
      },
    }),
  };
}
