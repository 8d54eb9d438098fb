import type { NewTicker } from './catalog-queries.ts';
import { cut, decodeEntities, visibleText } from '../news/clean-article.ts';
import { issuerLogo, registryLogo } from '../../domain/logos.ts';
import { readCurrency } from '../../domain/currency-units.ts';
import type { Listing } from '../../domain/market-data-provider.ts';

const tidyText = (text: string | null, most: number): string | null => {
  const tidy = cut(visibleText(decodeEntities(text ?? '')), most);
  return tidy === '' ? null : tidy;
};

/** The catalog row of a provider's listing: currency apart from unit; the registry's logo, else the issuer's badge. */
export function newTicker(listing: Listing): NewTicker {
  const { currency, unit } = readCurrency(listing.currency);
  const name = tidyText(listing.name, 200);
  const issuer = issuerLogo(listing.assetType, name);
  return {
    symbol: listing.symbol,
    asset_type: listing.assetType,
    name,
    exchange: tidyText(listing.exchange, 60),
    currency,
    declared_unit: unit,
    logo: listing.logo === null ? issuer : registryLogo(listing.symbol),
    logo_source: listing.logo !== null ? 'registry' : issuer === null ? null : 'issuer',
    market_cap: listing.assetType === 'stock' ? (listing.marketCap ?? null) : null,
    isin: listing.isin ?? null,
    fund_assets: listing.fundAssets ?? null,
    logo_address: listing.logo !== null && /^https?:\/\/.{1,500}$/.test(listing.logo) ? listing.logo : null,
  };
}
