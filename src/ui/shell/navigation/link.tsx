import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { navigate, usePlace } from './location.ts';
import { preloadPage } from './pages.ts';

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
  /** Marks the link as current on the pages beneath its address too. */
  section?: boolean;
}

/** A link within this site: an anchor that spares the load, and fetches the page's code when it is pointed at. */
export function Link({ href, section = false, onClick, ...rest }: LinkProps) {
  const { path } = usePlace();
  const target = href.split(/[?#]/)[0];
  return (
    <a
      {...rest}
      href={href}
      aria-current={target === path ? 'page' : section && path.startsWith(`${target}/`) ? 'true' : undefined}
      onPointerEnter={() => preloadPage(href)}
      onFocus={() => preloadPage(href)}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || !isPlain(event)) return;
        event.preventDefault();
        navigate(href);
      }}
    />
  );
}

/** Anything but a plain left click (new tab, download, …) is the browser's. */
const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey, currentTarget }: MouseEvent<HTMLAnchorElement>) =>
  button === 0 && !(metaKey || ctrlKey || shiftKey || altKey || currentTarget.target);
