import type { ComponentType } from 'react';
import { toRoutePath } from '../route-paths.ts';
import { lazyComponent, type LazyComponentHandle } from '../loading/lazy-component.tsx';

/** `visitor`: for people who are not signed in. `member`: for those who are. `anyone`: shown to both. */
type Audience = 'visitor' | 'member' | 'anyone';

export interface Page {
  title: string;
  audience: Audience;
  component: LazyComponentHandle<object>;
}

/** Describes a page whose code is fetched when it is first needed. */
export function definePage(title: string, audience: Audience, load: () => Promise<{ default: ComponentType }>): Page {
  return { title, audience, component: lazyComponent(title, load) };
}

let pageByPath: Readonly<Record<string, Page>> = {};

/** Tells links which pages exist; called once by the shell. */
export function setRoutes(pages: Readonly<Record<string, Page>>): void {
  pageByPath = pages;
}

/** The page at a path, if it is one. */
export function matchRoute(path: string): Page | undefined {
  const routePath = toRoutePath(path);
  return Object.hasOwn(pageByPath, routePath) ? pageByPath[routePath] : undefined;
}

/** Fetches the code of the page behind an address ahead of the click. */
export function prefetchRoute(href: string): void {
  matchRoute(new URL(href, window.location.href).pathname)?.component.preload();
}
