import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';

export interface Drag {
  symbol: string;
  from: number;
  /** Where the row would stand if it were let go now, from 0. */
  to: number;
  /** The first and the last place over which the row has been: rows between them have moved. */
  reach: readonly [number, number];
  /** Pixels from where it was taken, with a pointer; 0 with keys. */
  offset: number;
  by: 'pointer' | 'keys';
}

interface SortableOptions {
  count: number;
  /** The part that scrolls, for dragging past its edge. */
  scroller: () => HTMLElement | null;
  /** Where a row stands now, which keys pressed in quick succession are ahead of on screen. */
  indexOf: (symbol: string) => number;
  onMove: (symbol: string, to: number) => void;
  /** Told at each step of a drag, for screen readers. */
  onChange: (change: 'taken' | 'over' | 'dropped' | 'cancelled', symbol: string, to: number) => void;
}

const EDGE = 48;
/** Of every row, in pixels, as its class says: where a row goes is then a division, whatever the list's length. */
const ROW_HEIGHT = 52;

const movedTo = (drag: Drag, to: number, offset = 0): Drag => ({
  ...drag,
  to,
  offset,
  reach: [Math.min(drag.reach[0], to), Math.max(drag.reach[1], to)],
});

/**
 * Rows that are put in order by a handle: dragged with mouse, pen or finger, or taken with Enter or Space, moved with
 * the arrows, let go with Enter, Space or Tab, cancelled with Escape. Our own, since ready-made lists speak to a live
 * region outside the modal dialog, which is inert there, and drag by HTML's drag and drop, which fingers on many phones
 * do not have.
 */
export function useSortableRows({ count, scroller, indexOf, onMove, onChange }: SortableOptions) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const pointer = useRef({ startY: 0, startScroll: 0, y: 0 });
  const live = useRef<Drag | null>(null);

  const show = (next: Drag | null): void => {
    live.current = next;
    setDrag(next);
  };

  function follow(): void {
    const current = live.current;
    if (!current) return;
    const scrolled = (scroller()?.scrollTop ?? 0) - pointer.current.startScroll;
    const offset = pointer.current.y - pointer.current.startY + scrolled;
    const to = Math.max(0, Math.min(count - 1, current.from + Math.round(offset / ROW_HEIGHT)));
    if (to !== current.to) onChange('over', current.symbol, to);
    show(movedTo(current, to, offset));
  }

  // Near an edge the list scrolls on while the pointer rests.
  const dragging = drag?.by === 'pointer';
  useEffect(() => {
    if (!dragging) return;
    let frame = requestAnimationFrame(function step() {
      const part = scroller();
      if (part) {
        const { top, bottom } = part.getBoundingClientRect();
        const pull =
          pointer.current.y < top + EDGE
            ? pointer.current.y - top - EDGE
            : Math.max(0, pointer.current.y - bottom + EDGE);
        const before = part.scrollTop;
        part.scrollTop += pull / 4;
        if (part.scrollTop !== before) follow();
      }
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
    // oxlint-disable-next-line react/exhaustive-deps
  }, [dragging]);

  function finish(done: boolean): void {
    const current = live.current;
    if (!current) return;
    show(null);
    onChange(done ? 'dropped' : 'cancelled', current.symbol, done ? current.to : current.from);
    if (done && current.to !== current.from) onMove(current.symbol, current.to);
  }

  return {
    drag,
    /** Pixels by which the row at an index stands aside. */
    shiftOf(index: number): number {
      if (!drag) return 0;
      if (index === drag.from) return drag.by === 'pointer' ? drag.offset : (drag.to - drag.from) * ROW_HEIGHT;
      if (drag.from < index && index <= drag.to) return -ROW_HEIGHT;
      return drag.to <= index && index < drag.from ? ROW_HEIGHT : 0;
    },
    /**
     * Whether the row at an index has moved in this drag: it goes softly, also back. The others need not be drawn for
     * that.
     */
    moves: (index: number) => drag !== null && drag.reach[0] <= index && index <= drag.reach[1],
    handle: (symbol: string, index: number) => ({
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        pointer.current = { startY: event.clientY, y: event.clientY, startScroll: scroller()?.scrollTop ?? 0 };
        show({ symbol, from: index, to: index, reach: [index, index], offset: 0, by: 'pointer' });
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        if (live.current?.by !== 'pointer') return;
        pointer.current.y = event.clientY;
        follow();
      },
      onPointerUp: () => live.current?.by === 'pointer' && finish(true),
      onPointerCancel: () => live.current?.by === 'pointer' && finish(false),
      onBlur: () => live.current?.by === 'keys' && finish(true),
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        const current = live.current;
        const step = { ArrowUp: -1, ArrowDown: 1 }[event.key] ?? 0;
        if (event.altKey && step !== 0 && !current) {
          event.preventDefault();
          const to = indexOf(symbol) + step;
          if (to < 0 || to >= count) return;
          onChange('dropped', symbol, to);
          return onMove(symbol, to);
        }
        if (event.key === 'Enter' || event.key === ' ') {
          event.preventDefault();
          if (current) return finish(true);
          onChange('taken', symbol, index);
          return show({ symbol, from: index, to: index, reach: [index, index], offset: 0, by: 'keys' });
        }
        if (!current) return;
        if (event.key === 'Escape') {
          event.preventDefault();
          event.stopPropagation();
          return finish(false);
        }
        const wanted = { ArrowUp: current.to - 1, ArrowDown: current.to + 1, Home: 0, End: count - 1 }[event.key];
        if (wanted === undefined) return;
        event.preventDefault();
        const to = Math.max(0, Math.min(count - 1, wanted));
        if (to === current.to) return;
        onChange('over', symbol, to);
        show(movedTo(current, to));
        scroller()?.scrollBy({ top: (to - current.to) * ROW_HEIGHT });
      },
    }),
  };
}
