import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { navigate, openPanel, useLocation } from './location.ts';
import { prefetchRoute } from './match-route.ts';

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
  /** Marks the link as current also on pages below its URL. */
  isSection?: boolean;
  /** Query that opens the page as a panel over the current page instead. */
  panel?: string | undefined;
}

/** Link within the site. It navigates without a page load and prefetches the page's code on hover. */
export function Link({ href, isSection = false, panel, onClick, ...rest }: LinkProps) {
  const { path } = useLocation();
  const target = href.split(/[?#]/)[0];

  function getAriaCurrent(): 'page' | 'true' | undefined {
    if (target === path) return 'page';
    return isSection && path.startsWith(`${target}/`) ? 'true' : undefined;
  }

  return (
    <a
      {...rest}
      href={href}
      aria-current={getAriaCurrent()}
      onPointerEnter={() => prefetchRoute(href)}
      onFocus={() => prefetchRoute(href)}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || !isPlainClick(event)) return;
        event.preventDefault();
        if (panel !== undefined && target !== path) openPanel(panel);
        else navigate(href);
      }}
    />
  );
}

/** Returns whether a click is a plain left click. The browser handles all others (new tab, download, …). */
export const isPlainClick = ({
  button,
  metaKey,
  ctrlKey,
  shiftKey,
  altKey,
  currentTarget,
}: MouseEvent<HTMLAnchorElement>) =>
  button === 0 && !(metaKey || ctrlKey || shiftKey || altKey || currentTarget.target);
