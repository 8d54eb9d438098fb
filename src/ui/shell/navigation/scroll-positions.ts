import { readStored, writeStored } from '../../kit/browser-storage.ts';

const STORAGE_KEY = 'tally.scroll';
/** Events by which the reader takes over. */
const READER_EVENTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;
/** Time in ms without a change of its height after which a page that is long enough has its data. */
const SETTLED_MS = 2_000;

/** Positions in pixels by the key of a page in the history. */
let positions = new Map<string, number>();
let currentPage: string | undefined;
let stopRestoring: (() => void) | undefined;

/** Records where the reader is on each page of the history. The browser restores positions too early for late data. */
export function startScrollPositions(): void {
  history.scrollRestoration = 'manual';
  positions = new Map(JSON.parse(readStored(STORAGE_KEY, 'sessionStorage') ?? '[]') as [string, number][]);
  addEventListener('scroll', recordPosition, { passive: true });
  addEventListener('pagehide', () => writeStored(STORAGE_KEY, JSON.stringify([...positions]), 'sessionStorage'));
}

function recordPosition(): void {
  if (currentPage !== undefined && !stopRestoring) positions.set(currentPage, window.scrollY);
}

/** Begins a new page of the history at its top. */
export function startAtTop(page: string): void {
  stopRestoring?.();
  recordPosition();
  currentPage = page;
  scrollTo(0, 0);
}

/**
 * Keeps a page of the history at its recorded position while its data load, or until the reader's input. No event tells the
 * use of a scrollbar, so it ends as soon as the page has settled.
 */
export function restorePosition(page: string): void {
  if (page === currentPage) return;
  // Its event may be still to come.
  recordPosition();
  stopRestoring?.();
  currentPage = page;
  const top = positions.get(page) ?? 0;
  // A page needs no data for its top.
  if (top === 0) {
    scrollTo({ top, behavior: 'instant' });
    return;
  }
  let settling: ReturnType<typeof setTimeout> | undefined;
  const observer = new ResizeObserver(() => {
    scrollTo({ top, behavior: 'instant' });
    clearTimeout(settling);
    const { scrollHeight, clientHeight } = document.documentElement;
    if (scrollHeight - clientHeight >= top) settling = setTimeout(() => stopRestoring?.(), SETTLED_MS);
  });
  stopRestoring = () => {
    observer.disconnect();
    clearTimeout(settling);
    for (const type of READER_EVENTS) removeEventListener(type, stopRestoring!);
    stopRestoring = undefined;
  };
  for (const type of READER_EVENTS) addEventListener(type, stopRestoring, { passive: true });
  observer.observe(document.body);
}
