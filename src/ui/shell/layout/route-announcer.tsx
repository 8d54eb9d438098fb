import { useEffect } from 'react';

let isFirstPage = true;

/** Marks that a page has arrived: names the document and, after a navigation, moves focus to the page's heading. */
export function RouteAnnouncer({ title }: { title: string }) {
  useEffect(() => {
    document.title = `${title} · Tally`;
    if (isFirstPage) {
      isFirstPage = false;
      return;
    }
    const heading = document.querySelector<HTMLElement>('main h1');
    heading?.setAttribute('tabindex', '-1');
    heading?.focus({ preventScroll: true });
  }, [title]);
  return null;
}
