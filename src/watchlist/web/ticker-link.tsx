import { navigate } from '../../web/lib/location.ts';
import { tickerLink } from './ticker-address.ts';

/** A symbol that leads to its detail; its area is the whole row. `words` are what is heard instead of the symbol alone. */
export function TickerLink({ symbol, words }: { symbol: string; words: string }) {
  const href = tickerLink(symbol);
  return (
    <a
      href={href}
      aria-label={words}
      className="truncate font-semibold outline-none after:absolute after:inset-0 after:content-[''] focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        navigate(href, { keepScroll: true });
      }}
    >
      {symbol}
    </a>
  );
}
