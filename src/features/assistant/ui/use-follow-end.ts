import { type RefObject, useEffect, useRef } from 'react';
import type { Thread } from './thread.ts';

/** Pixels from the end within which somebody reads the end. */
const NEAR = 80;

/**
 * Keeps the end of an answer in sight while it grows, unless its reader has scrolled away; a new question, or a report,
 * comes into sight from its beginning.
 */
export function useFollowEnd(scroller: RefObject<HTMLElement | null>, { entries }: Thread, isShown: boolean): void {
  const follows = useRef(true);
  const seen = useRef(0);
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const look = (): void => {
      follows.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
    };
    box.addEventListener('scroll', look, { passive: true });
    return () => box.removeEventListener('scroll', look);
  }, [scroller]);
  useEffect(() => {
    const box = scroller.current;
    if (!box || !isShown) return;
    const last = entries.at(-1);
    const isNew = entries.length > seen.current;
    seen.current = entries.length;
    if (last?.role === 'report') {
      if (isNew || last.report) [...box.querySelectorAll('[data-question]')].at(-1)?.scrollIntoView({ block: 'start' });
    } else if (last && (isNew || follows.current)) box.scrollTo({ top: box.scrollHeight });
  }, [scroller, entries, isShown]);
}
