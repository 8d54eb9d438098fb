import type { NewTicker } from './catalog-queries.ts';
import { truncate, decodeEntities, toVisibleText } from '../shared/provider-text.ts';
import { getIssuerLogoPath, getRegistryLogoPath } from '../../domain/logos.ts';
import { parseCurrency } from '../../domain/currency-units.ts';
import type { Listing } from '../../domain/market-data-provider.ts';

const cleanText = (text: string | null, maxLength: number): string | null => {
  const cleaned = truncate(toVisibleText(decodeEntities(text ?? '')), maxLength);
  return cleaned === '' ? null : cleaned;
};

/**
 * Converts a provider's listing to a catalog row. Separates currency and unit. The logo is that of the registry,
 * otherwise the badge of the issuer.
 */
export function toNewTicker(listing: Listing): NewTicker {
  const { currency, unit } = parseCurrency(listing.currency);
  const name = cleanText(listing.name, 200);
  const issuer = getIssuerLogoPath(listing.assetType, name);
  const issuerSource = issuer === null ? null : 'issuer';
  return {
    symbol: listing.symbol,
    asset_type: listing.assetType,
    name,
    exchange: cleanText(listing.exchange, 60),
    currency,
    declared_unit: unit,
    logo: listing.logo === null ? issuer : getRegistryLogoPath(listing.symbol),
    logo_source: listing.logo === null ? issuerSource : 'registry',
    market_cap: listing.assetType === 'stock' ? (listing.marketCap ?? null) : null,
    isin: listing.isin ?? null,
    fund_assets: listing.fundAssets ?? null,
    logo_address: listing.logo !== null && /^https?:\/\/.{1,500}$/.test(listing.logo) ? listing.logo : null,
  };
}
