import type { TickerDetail } from '../../contract.ts';

/**
 * Issuer, coupon and maturity out of a bond's name (`US Treasury Note 4.25% 11/15/2034`); null where the name does not
 * hold them. The feed brings them in no other way. The maturity is a day as `2034-11-15`, the others are as they are
 * shown.
 */
export function parseBondTerms(name: string | null) {
  const match = /^(.+?)(?: (?:note|bond|bill|tips))? (\d+(?:\.\d+)?)% (\d{2})\/(\d{2})\/(\d{4})$/i.exec(name ?? '');
  if (!match) return null;
  const [, issuer = '', coupon = '', month = '', day = '', year = ''] = match;
  return { issuer, coupon: `${coupon}% a year`, maturity: `${year}-${month}-${day}` };
}

/**
 * Who issues a fund, as its own name spells it; null where that is not known. The feed brings it in no other way than
 * by the issuer's badge, whose address names it.
 */
export function getFundIssuer({ asset_type: kind, name, logo }: Pick<TickerDetail, 'asset_type' | 'name' | 'logo'>) {
  const slug = /^\/api\/logos\/([a-z-]+)\.svg$/.exec(logo ?? '')?.[1];
  if (!slug || name === null || (kind !== 'etf' && kind !== 'mutual_fund')) return null;
  return new RegExp(slug.replaceAll('-', '\\W+'), 'i').exec(name)?.[0] ?? null;
}
