import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';

export interface Drag {
  symbol: string;
  from: number;
  /** Index of the row if it were dropped now, from 0. */
  to: number;
  /** First and last index that the row has passed. The rows between them have moved. */
  movedRange: readonly [number, number];
  /** Pointer distance in px from the start of the drag. 0 for keyboard moves. */
  offset: number;
  input: 'pointer' | 'keys';
}

interface SortableListOptions {
  count: number;
  /** Returns the scroll container, for dragging past its edge. */
  getScrollContainer: () => HTMLElement | null;
  /** Returns the current index of a row. Quick key presses can precede the next rendering. */
  getIndex: (symbol: string) => number;
  onMove: (symbol: string, to: number) => void;
  /** Called at each step of a drag, for announcements. */
  onChange: (change: 'picked-up' | 'moved' | 'dropped' | 'canceled', symbol: string, to: number) => void;
}

const AUTOSCROLL_EDGE_PX = 48;
/**
 * Height of every row in px, as its class sets. The target index is therefore a division, independent of the list's
 * length.
 */
const ROW_HEIGHT_PX = 52;

const updateDrag = (drag: Drag, to: number, offset = 0): Drag => ({
  ...drag,
  to,
  offset,
  movedRange: [Math.min(drag.movedRange[0], to), Math.max(drag.movedRange[1], to)],
});

/**
 * Sorts rows by a handle. The pointer (mouse, pen or finger) drags a row. On the keyboard, Enter or Space picks a row
 * up, arrow keys move it, Enter, Space or Tab drop it, and Escape cancels. No library is used for two reasons.
 * Libraries announce in a live region outside the modal dialog, which is inert there. They use HTML drag and drop,
 * which many phones do not support for touch.
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
    if (to !== current.to) onChange('moved', current.symbol, to);
    setCurrentDrag(updateDrag(current, to, offset));
  }

  // Near an edge the list keeps scrolling while the pointer rests.
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
    onChange(isDropped ? 'dropped' : 'canceled', current.symbol, isDropped ? current.to : current.from);
    if (isDropped && current.to !== current.from) onMove(current.symbol, current.to);
  }

  return {
    drag,
    /** Returns the offset in px of the row at an index. */
    getTranslateY(index: number): number {
      if (!drag) return 0;
      if (index === drag.from) return drag.input === 'pointer' ? drag.offset : (drag.to - drag.from) * ROW_HEIGHT_PX;
      if (drag.from < index && index <= drag.to) return -ROW_HEIGHT_PX;
      return drag.to <= index && index < drag.from ? ROW_HEIGHT_PX : 0;
    },
    /**
     * Returns whether the row at an index has moved in this drag. Only these rows animate, also on their way back. The
     * others need no rendering.
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
          onChange('picked-up', symbol, index);
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
        onChange('moved', symbol, to);
        setCurrentDrag(updateDrag(current, to));
        getScrollContainer()?.scrollBy({ top: (to - current.to) * ROW_HEIGHT_PX });
      },
    }),
  };
}
