import type { ShownSecurity } from '../contract.ts';

/**
 * Parses issuer, coupon and maturity from a bond's name (`US Treasury Note 4.25% 11/15/2034`), because the feed has no
 * such fields. Returns null if the name does not contain them. The maturity has the form `2034-11-15`. The others are
 * display texts.
 */
export function parseBondTerms(name: string | null) {
  const match = /^(.+?)(?: (?:note|bond|bill|tips))? (\d+(?:\.\d+)?)% (\d{2})\/(\d{2})\/(\d{4})$/i.exec(name ?? '');
  if (!match) return null;
  const [, issuer = '', coupon = '', month = '', day = '', year = ''] = match;
  return { issuer, coupon: `${coupon}% a year`, maturity: `${year}-${month}-${day}` };
}

/**
 * Returns a fund's issuer as spelled in the fund's name, or null if unknown. The feed has no issuer field. The URL of
 * the issuer's badge contains the issuer.
 */
export function getFundIssuer({
  asset_type: assetType,
  name,
  logo,
}: Pick<ShownSecurity, 'asset_type' | 'logo'> & { name: string | null }) {
  const slug = /^\/api\/logos\/([a-z-]+)\.svg$/.exec(logo ?? '')?.[1];
  if (!slug || name === null || (assetType !== 'etf' && assetType !== 'mutual_fund')) return null;
  return new RegExp(slug.replaceAll('-', '\\W+'), 'i').exec(name)?.[0] ?? null;
}
