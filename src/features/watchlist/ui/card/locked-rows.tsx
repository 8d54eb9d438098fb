import { Button, getButtonClass } from '../../../../ui/kit/button.tsx';
import { Icon } from '../../../../ui/kit/icon.tsx';
import { SecurityLogo } from '../../../securities/ui/shared/security-logo.tsx';
import type { Watchlist } from '../../contract.ts';
import { preloadEditWatchlist } from './lazy-components.ts';
import { UpgradeLink } from '../list/upgrade-link.tsx';

/** Shows the rows past the plan's limit, with symbol and name but without market data. */
export function LockedRows({ list, onChoose }: { list: Watchlist; onChoose: () => void }) {
  const locked = list.items.filter((item) => item.locked);
  if (locked.length === 0) return null;
  return (
    <div className="border-t border-line">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 bg-sunken px-4 py-3 sm:px-5">
        <p className="flex min-w-0 flex-1 basis-52 items-center gap-2 text-small font-medium">
          <Icon name="lock" size={14} />
          {locked.length === 1 ? '1 more saved ticker is locked' : `${locked.length} more saved tickers are locked`}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button
            onClick={onChoose}
            onPointerEnter={preloadEditWatchlist}
            className="min-h-8 px-3 text-small"
          >{`Choose which ${list.limit}`}</Button>
          <UpgradeLink
            source="dashboard_watchlist_locked"
            list={list}
            className={getButtonClass('primary', 'min-h-8 px-3 text-small')}
          />
        </div>
      </div>
      <ul aria-label="Locked tickers">
        {locked.map((item) => (
          <li key={item.id} className="flex items-center gap-3 border-t border-line px-4 py-1.5 text-ink-faint sm:px-5">
            <span className="grayscale [&_img]:opacity-50">
              <SecurityLogo symbol={item.symbol} logo={item.logo} />
            </span>
            <div className="min-w-0 flex-1">
              <p className="truncate font-semibold">{item.symbol}</p>
              <p className="truncate text-small">{item.name ?? item.symbol}</p>
            </div>
            <span className="inline-flex items-center gap-1 text-micro">
              <Icon name="lock" size={12} />
              Locked
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
