import type { AnchorHTMLAttributes } from 'react';
import { useLocation } from './location.ts';
import { isPlainClick } from './link.tsx';
import { preloadSecurityPanel } from './preload-security-panel.ts';
import { getSecurityUrl, openSecurity } from './security-url.ts';

interface SecurityLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  symbol: string;
}

/** Link of a ticker that opens the security over the current page. */
export function SecurityLink({ symbol, onClick, ...rest }: SecurityLinkProps) {
  // The address of the link keeps the rest of the page's address, and follows it.
  useLocation();
  return (
    <a
      onPointerEnter={preloadSecurityPanel}
      onFocus={preloadSecurityPanel}
      {...rest}
      href={getSecurityUrl(symbol)}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || !isPlainClick(event)) return;
        event.preventDefault();
        openSecurity(symbol);
      }}
    />
  );
}
