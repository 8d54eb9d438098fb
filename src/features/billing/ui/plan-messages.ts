import type { Price, Tier, UpgradeEntry } from '../contract.ts';
import { formatMinorUnits } from '../minor-units.ts';

export const tierNames: Readonly<Record<Tier, string>> = { free: 'Free', pro: 'Pro', max: 'Max' };

const upgradeReasons: Readonly<Record<UpgradeEntry, string>> = {
  watchlist_limit: 'Your watchlist is full. To add more tickers, upgrade or remove one.',
  watchlist_locked:
    'Tickers beyond your plan’s limit are locked, not deleted. They keep their order and unlock when a plan ' +
    'covers them.',
};

/** Parses the entry source of an upgrade. Returns null for an unknown entry or none. */
export function parseEntry(text: string | null): UpgradeEntry | null {
  return text !== null && Object.hasOwn(upgradeReasons, text) ? (text as UpgradeEntry) : null;
}

/** Returns the text below the heading: the reason of the visit, if known. */
export const getUpgradeReason = (entry: UpgradeEntry | null): string =>
  entry ? upgradeReasons[entry] : 'Plans differ only in how many tickers you can follow.';

/** Formats a price: `$9.99 a month`. */
export const formatPrice = ({ amount_minor: amount, currency, interval }: Price): string =>
  `${formatMinorUnits(amount, currency)} a ${interval}`;
