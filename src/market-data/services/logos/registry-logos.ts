import type { ServiceSql } from '../../../platform/database/roles.ts';
import { createSingleFlight } from '../../providers/single-flight/single-flight.ts';
import type { ProviderChain } from '../../providers/chain/provider-chain.ts';
import { fetchImage, type Image } from './fetch-image.ts';
import { renderBadge, findIssuerSlug } from '../../domain/logos.ts';
import { claimLogo, findLogo, storeLogo, type LogoRow } from './logo-queries.ts';
import type { MarketContext } from '../shared/market-context.ts';

const LOOKUP_TIMEOUT_MS = 3_000;
const FETCH_TIMEOUT_MS = 4_000;

export interface Logo {
  body: Buffer | string;
  mediaType: Image['mediaType'] | 'image/svg+xml';
}

interface LogosDependencies extends Pick<MarketContext, 'sql' | 'providers'> {
  /** Connection for reads of images, possibly a replica. */
  reads: ServiceSql;
  /** Returns the SVG of a logo that the provider draws, in place of a fetched one. */
  renderLogo: (symbol: string) => string | undefined;
  /** Origins of the providers' images. */
  origins: ReadonlySet<string>;
}

/**
 * Returns the registry logo of a listing from the database and fetches it once if it is missing. If the logo is
 * unavailable, returns the badge of the fund issuer. Returns undefined if neither exists. Calls of one process for one
 * logo share one fetch.
 */
export function createLogos(deps: LogosDependencies): (symbol: string) => Promise<Logo | undefined> {
  const singleFlight = createSingleFlight();
  return (symbol) => singleFlight({ key: symbol, call: () => getLogo(deps, symbol) });
}

async function getLogo(deps: LogosDependencies, symbol: string): Promise<Logo | undefined> {
  const row = await findLogo(deps.reads, symbol);
  if (!row) return undefined;
  if (!row.registered) return renderIssuerBadge(row);
  const renderedSvg = row.image === null ? deps.renderLogo(symbol) : undefined;
  if (renderedSvg !== undefined) return toSvgLogo(renderedSvg);
  const fetched = row.due ? await fetchLogo(deps, symbol, row) : undefined;
  if (fetched) return { body: fetched.bytes, mediaType: fetched.mediaType };
  if (row.image !== null) return { body: row.image, mediaType: row.media_type as Image['mediaType'] };
  return renderIssuerBadge(row);
}

const renderIssuerBadge = ({ asset_type: kind, name }: LogoRow): Logo | undefined =>
  toSvgLogo(renderBadge(findIssuerSlug(kind, name) ?? ''));

const toSvgLogo = (body: string | undefined): Logo | undefined =>
  body === undefined ? undefined : { body, mediaType: 'image/svg+xml' };

/** Fetches the logo if a fetch is due. A listing without a logo URL is looked up first. */
async function fetchLogo(
  { sql, providers, origins }: LogosDependencies,
  symbol: string,
  row: LogoRow,
): Promise<Image | undefined> {
  if (!(await claimLogo(sql, row.ticker_id))) return undefined;
  const address = row.address ?? (await fetchLogoUrl(providers, symbol));
  if (address === null) return undefined;
  const image = await fetchImage(address, origins, FETCH_TIMEOUT_MS);
  await storeLogo(sql, row.ticker_id, address, image);
  return image;
}

async function fetchLogoUrl(providers: ProviderChain, symbol: string): Promise<string | null> {
  const answer = await providers.call('lookup', (provider) =>
    provider.lookup(symbol, AbortSignal.timeout(LOOKUP_TIMEOUT_MS)),
  );
  return answer.ok ? answer.value.logo : null;
}
