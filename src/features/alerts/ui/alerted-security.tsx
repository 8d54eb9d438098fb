import { isPlainClick } from '../../../ui/shell/navigation/link.tsx';
import { openPanel } from '../../../ui/shell/navigation/location.ts';
import { preloadSecurityPanel } from '../../../ui/shell/navigation/preload-security-panel.ts';
import { getSecurityUrl } from '../../../ui/shell/navigation/security-url.ts';

/** Symbol of an alert in the list of alerts. Its link opens the security in place of the list, to which Back returns. */
export function AlertedSecurity({ symbol }: { symbol: string }) {
  const url = new URL(getSecurityUrl(symbol), window.location.href);
  url.searchParams.delete('alerts');
  return (
    <a
      href={url.href}
      className="link font-semibold"
      onPointerEnter={preloadSecurityPanel}
      onFocus={preloadSecurityPanel}
      onClick={(event) => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        openPanel(url.href);
      }}
    >
      {symbol}
    </a>
  );
}
