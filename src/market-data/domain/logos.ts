/**
 * Fund issuers with a badge that Tally draws: letters on a color. A badge uses no trademark and needs no request to a
 * third party.
 */
const issuers: readonly { prefix: string; slug: string; letters: string; color: string }[] = [
  { prefix: 'Vanguard', slug: 'vanguard', letters: 'V', color: '#8c1d2b' },
  { prefix: 'iShares', slug: 'ishares', letters: 'iS', color: '#1d1d1d' },
  { prefix: 'BlackRock', slug: 'blackrock', letters: 'BR', color: '#1d1d1d' },
  { prefix: 'SPDR', slug: 'spdr', letters: 'SP', color: '#0b4f7d' },
  { prefix: 'Schwab', slug: 'schwab', letters: 'CS', color: '#0a6ea8' },
  { prefix: 'Invesco', slug: 'invesco', letters: 'IV', color: '#10248f' },
  { prefix: 'Fidelity', slug: 'fidelity', letters: 'F', color: '#2b6a22' },
  { prefix: 'ARK ', slug: 'ark', letters: 'ARK', color: '#4a3f93' },
  { prefix: 'JPMorgan', slug: 'jpmorgan', letters: 'JPM', color: '#5b4630' },
  { prefix: 'VanEck', slug: 'vaneck', letters: 'VE', color: '#14417c' },
  { prefix: 'American Funds', slug: 'american-funds', letters: 'AF', color: '#1c5a8a' },
  { prefix: 'Dodge & Cox', slug: 'dodge-cox', letters: 'DC', color: '#6b2737' },
  { prefix: 'T. Rowe Price', slug: 't-rowe-price', letters: 'TRP', color: '#1a4e8a' },
  { prefix: 'PIMCO', slug: 'pimco', letters: 'P', color: '#12395b' },
  { prefix: 'Oakmark', slug: 'oakmark', letters: 'O', color: '#3f5a2a' },
  { prefix: 'US Treasury', slug: 'us-treasury', letters: 'UST', color: '#3b5f4a' },
];

/** Returns the path of the registry logo of a listing. */
export const getRegistryLogoPath = (symbol: string): string => `/api/logos/registry/${encodeURIComponent(symbol)}`;

/** Returns the path of the badge of a fund or bond, or null for companies and unknown issuers. */
export function getIssuerLogoPath(assetType: string, name: string | null): string | null {
  const slug = findIssuerSlug(assetType, name);
  return slug === null ? null : `/api/logos/${slug}.svg`;
}

/** Returns the issuer slug of a fund or bond by its name, or null if the issuer is unknown. */
export function findIssuerSlug(assetType: string, name: string | null): string | null {
  if (assetType === 'stock' || name === null) return null;
  // Sector funds carry the brand inside their name.
  const issuer =
    issuers.find(({ prefix }) => name.startsWith(prefix)) ??
    issuers.find(({ prefix }) => name.includes(` ${prefix.trim()} `));
  return issuer?.slug ?? null;
}

/** Returns the badge as SVG, or undefined for an unknown issuer. */
export function renderBadge(slug: string): string | undefined {
  const issuer = issuers.find((candidate) => candidate.slug === slug);
  if (!issuer) return undefined;
  const size = [24, 18, 14][issuer.letters.length - 1] ?? 14;
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" width="48" height="48">' +
    `<rect width="48" height="48" rx="12" fill="${issuer.color}"/>` +
    '<text x="24" y="24" dy=".35em" text-anchor="middle" font-family="system-ui,sans-serif" ' +
    `font-size="${size}" font-weight="600" fill="#fff">${issuer.letters}</text></svg>`
  );
}
