import { type RefObject, useEffect, useRef } from 'react';
import type { Thread } from './thread.ts';

/** Distance from the end in pixels within which the reader is at the end. */
const BOTTOM_THRESHOLD_PX = 80;

/**
 * Keeps the end of a growing answer in view unless the reader has scrolled away. A new question or report is scrolled
 * to its beginning.
 */
export function useStickToBottom(
  scrollRef: RefObject<HTMLElement | null>,
  { entries }: Thread,
  isShown: boolean,
): void {
  const isAtBottom = useRef(true);
  const seenCount = useRef(0);
  useEffect(() => {
    const element = scrollRef.current;
    if (!element) return;
    const updateIsAtBottom = (): void => {
      isAtBottom.current = element.scrollHeight - element.scrollTop - element.clientHeight < BOTTOM_THRESHOLD_PX;
    };
    // The document's scrolling is an event of the document, not of its element.
    const scroller = element === document.documentElement ? document : element;
    scroller.addEventListener('scroll', updateIsAtBottom, { passive: true });
    return () => scroller.removeEventListener('scroll', updateIsAtBottom);
  }, [scrollRef]);
  useEffect(() => {
    const element = scrollRef.current;
    if (!element || !isShown) return;
    const last = entries.at(-1);
    const isNew = entries.length > seenCount.current;
    seenCount.current = entries.length;
    if (last?.role === 'report') {
      if (isNew || last.report)
        [...element.querySelectorAll('[data-question]')].at(-1)?.scrollIntoView({ block: 'start' });
    } else if (last && (isNew || isAtBottom.current)) element.scrollTo({ top: element.scrollHeight });
  }, [scrollRef, entries, isShown]);
}
