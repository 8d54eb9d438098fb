import { SecurityLogo } from '../../../../securities/ui/shared/security-logo.tsx';
import { SecurityLink } from '../../../../../ui/shell/navigation/security-link.tsx';
import type { PortfolioHolding } from '../../contract.ts';

/** Shows logo, symbol and name of a holding as a link to its security. A holding without a symbol has none. */
export function HoldingName({ holding: { symbol, name, logo } }: { holding: PortfolioHolding }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <SecurityLogo symbol={symbol ?? name} logo={logo} />
      <div className="min-w-0 flex-1">
        {symbol === null ? (
          <p className="line-clamp-2 font-semibold">{name}</p>
        ) : (
          <>
            <SecurityLink
              symbol={symbol}
              className="block w-fit max-w-full truncate font-semibold after:absolute after:inset-0 after:content-['']"
            >
              {symbol}
              <span className="sr-only">{` ${name}`}</span>
            </SecurityLink>
            <p aria-hidden="true" className="truncate text-micro text-ink-soft">
              {name}
            </p>
          </>
        )}
      </div>
    </div>
  );
}
