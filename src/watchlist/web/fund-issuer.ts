import type { TickerDetail } from '../contract.ts';

/**
 * Who issues a fund, as its own name spells it; null where that is not known. The feed brings it in no other way than
 * by the issuer's badge, whose address names it.
 */
export function fundIssuer({ asset_type: kind, name, logo }: Pick<TickerDetail, 'asset_type' | 'name' | 'logo'>) {
  const slug = /^\/api\/logos\/([a-z-]+)\.svg$/.exec(logo ?? '')?.[1];
  if (!slug || name === null || (kind !== 'etf' && kind !== 'mutual_fund')) return null;
  return new RegExp(slug.replaceAll('-', '\\W+'), 'i').exec(name)?.[0] ?? null;
}
