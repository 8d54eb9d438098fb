import type { ComponentType } from 'react';
import { pagePathOf } from '../page-paths.ts';
import { lazyPart, type Part } from '../loading/lazy-part.tsx';

/** `visitor`: for people who are not signed in. `member`: for those who are. `anyone`: shown to both. */
type Audience = 'visitor' | 'member' | 'anyone';

export interface Page {
  title: string;
  audience: Audience;
  screen: Part<object>;
}

/** Describes a page whose code is fetched when it is first needed. */
export function page(title: string, audience: Audience, load: () => Promise<{ default: ComponentType }>): Page {
  return { title, audience, screen: lazyPart(title, load) };
}

let known: Readonly<Record<string, Page>> = {};

/** Tells links which pages exist; called once by the shell. */
export function setPages(pages: Readonly<Record<string, Page>>): void {
  known = pages;
}

/** The page at a path, if it is one. */
export function pageAt(path: string): Page | undefined {
  const page = pagePathOf(path);
  return Object.hasOwn(known, page) ? known[page] : undefined;
}

/** Fetches the code of the page behind an address ahead of the click. */
export function preloadPage(href: string): void {
  pageAt(new URL(href, window.location.href).pathname)?.screen.preload();
}
