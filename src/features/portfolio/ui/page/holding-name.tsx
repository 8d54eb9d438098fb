import { SecurityLogo } from '../../../../ui/shell/market/security-logo.tsx';
import type { PortfolioHolding } from '../../contract.ts';
import { lazyHoldingDialog } from './lazy-components.ts';

interface HoldingNameProps {
  holding: PortfolioHolding;
  /** Opens the security. */
  onOpen: (holding: PortfolioHolding) => void;
}

/** Shows logo, symbol and name of a holding as a button. A holding without a symbol cannot be opened. */
export function HoldingName({ holding, onOpen }: HoldingNameProps) {
  const { symbol, name, logo } = holding;
  return (
    <div className="flex min-w-0 items-center gap-3">
      <SecurityLogo symbol={symbol ?? name} logo={logo} />
      <div className="min-w-0 flex-1">
        {symbol === null ? (
          <p className="line-clamp-2 font-semibold">{name}</p>
        ) : (
          <>
            <button
              type="button"
              aria-haspopup="dialog"
              className="max-w-full truncate font-semibold after:absolute after:inset-0 after:content-['']"
              {...lazyHoldingDialog.preloadProps}
              onClick={() => onOpen(holding)}
            >
              {symbol}
              <span className="sr-only">{` ${name}`}</span>
            </button>
            <p aria-hidden="true" className="truncate text-micro text-ink-soft">
              {name}
            </p>
          </>
        )}
      </div>
    </div>
  );
}
