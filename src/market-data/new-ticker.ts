import type { NewTicker } from './catalog-queries.ts';
import { issuerLogo } from './issuer-badges.ts';
import { readCurrency } from './minor-units.ts';
import type { Listing } from './port.ts';

const tidyText = (text: string | null, most: number): string | null => {
  const tidy = text?.replace(/\s+/g, ' ').trim().slice(0, most) ?? '';
  return tidy === '' ? null : tidy;
};

/** The catalog row of a provider's listing: currency apart from its unit, and the issuer's badge. */
export function newTicker(listing: Listing): NewTicker {
  const { currency, unit } = readCurrency(listing.currency);
  const name = tidyText(listing.name, 200);
  const logo = issuerLogo(listing.assetType, name);
  return {
    symbol: listing.symbol,
    asset_type: listing.assetType,
    name,
    exchange: tidyText(listing.exchange, 60),
    currency,
    declared_unit: unit,
    logo,
    logo_source: logo === null ? null : 'issuer',
  };
}
