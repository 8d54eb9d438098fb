import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { navigate, useLocation } from './location.ts';
import { prefetchRoute } from './match-route.ts';

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
  /** Marks the link as current on the pages beneath its address too. */
  isSection?: boolean;
}

/** A link within this site: an anchor that spares the load, and fetches the page's code when it is pointed at. */
export function Link({ href, isSection = false, onClick, ...rest }: LinkProps) {
  const { path } = useLocation();
  const target = href.split(/[?#]/)[0];
  return (
    <a
      {...rest}
      href={href}
      aria-current={target === path ? 'page' : isSection && path.startsWith(`${target}/`) ? 'true' : undefined}
      onPointerEnter={() => prefetchRoute(href)}
      onFocus={() => prefetchRoute(href)}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || !isPlainClick(event)) return;
        event.preventDefault();
        navigate(href);
      }}
    />
  );
}

/** Anything but a plain left click (new tab, download, …) is the browser's. */
const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey, currentTarget }: MouseEvent<HTMLAnchorElement>) =>
  button === 0 && !(metaKey || ctrlKey || shiftKey || altKey || currentTarget.target);
