import { SecurityLogo } from '../../../../securities/ui/shared/security-logo.tsx';
import { SecurityLink } from '../../../../../ui/shell/navigation/security-link.tsx';
import { ConnectedIcon } from '../connected-icon.tsx';
import type { ShownHolding } from './round-holdings.ts';

/** Shows logo, symbol and name of a holding as a link to its security. A holding without a symbol has none. */
export function HoldingName({ holding: { symbol, name, logo, position } }: { holding: ShownHolding }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <SecurityLogo symbol={symbol ?? name} logo={logo} />
      <div className="min-w-0 flex-1">
        {symbol === null ? (
          <p className="line-clamp-2 font-semibold">
            {name}
            {position?.isConnected && <ConnectedIcon />}
          </p>
        ) : (
          <>
            <SecurityLink
              symbol={symbol}
              className="block w-fit max-w-full truncate font-semibold after:absolute after:inset-0 after:content-['']"
            >
              {symbol}
              <span className="sr-only">{` ${name}`}</span>
              {position?.isConnected && <ConnectedIcon />}
            </SecurityLink>
            <p aria-hidden="true" className="line-clamp-2 text-micro text-ink-soft sm:truncate">
              {name}
            </p>
          </>
        )}
      </div>
    </div>
  );
}
