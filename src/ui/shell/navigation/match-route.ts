import type { ComponentType } from 'react';
import { toRoutePath } from '../route-paths.ts';
import { lazyComponent, type LazyComponentHandle } from '../loading/lazy-component.tsx';

/** `visitor`: for signed-out people. `member`: for signed-in members. `anyone`: for both. */
type Audience = 'visitor' | 'member' | 'anyone';

export interface Page {
  title: string;
  audience: Audience;
  component: LazyComponentHandle<object>;
}

/** Defines a page whose code loads on first use. */
export function definePage(title: string, audience: Audience, load: () => Promise<{ default: ComponentType }>): Page {
  return { title, audience, component: lazyComponent(title, load) };
}

let pageByPath: Readonly<Record<string, Page>> = {};

/** Sets the pages that links can resolve. The shell calls this function once. */
export function setRoutes(pages: Readonly<Record<string, Page>>): void {
  pageByPath = pages;
}

/** Returns the page at a path, if it exists. */
export function matchRoute(path: string): Page | undefined {
  const routePath = toRoutePath(path);
  return Object.hasOwn(pageByPath, routePath) ? pageByPath[routePath] : undefined;
}

/** Prefetches the code of a URL's page before the click. */
export function prefetchRoute(href: string): void {
  matchRoute(new URL(href, window.location.href).pathname)?.component.preload();
}
