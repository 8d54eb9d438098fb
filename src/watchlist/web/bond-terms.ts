/** What a bond's name says of it, each part as it is shown. */
interface BondTerms {
  issuer: string;
  coupon: string;
  /** As `2034-11-15`. */
  maturity: string;
}

/**
 * Issuer, coupon and maturity out of a bond's name (`US Treasury Note 4.25% 11/15/2034`); null where the name does not
 * hold them. The feed brings them in no other way.
 */
export function readBondTerms(name: string | null): BondTerms | null {
  const parts = /^(.+?)(?: (?:note|bond|bill|tips))? (\d+(?:\.\d+)?)% (\d{2})\/(\d{2})\/(\d{4})$/i.exec(name ?? '');
  if (!parts) return null;
  const [, issuer = '', coupon = '', month = '', day = '', year = ''] = parts;
  return { issuer, coupon: `${coupon}% a year`, maturity: `${year}-${month}-${day}` };
}
