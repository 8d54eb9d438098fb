import { useEffect } from 'react';

let first = true;

/** Marks that a page has arrived: names the document and, after a navigation, moves focus to the page's heading. */
export function Arrival({ title }: { title: string }) {
  useEffect(() => {
    document.title = `${title} · Tally`;
    if (first) {
      first = false;
      return;
    }
    const heading = document.querySelector<HTMLElement>('main h1');
    heading?.setAttribute('tabindex', '-1');
    heading?.focus({ preventScroll: true });
  }, [title]);
  return null;
}
