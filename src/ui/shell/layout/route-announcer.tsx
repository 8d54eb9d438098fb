import { useEffect } from 'react';

let isFirstPage = true;

/** Runs after a page is rendered: sets the document title and, after a navigation, focuses the page's heading. */
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
