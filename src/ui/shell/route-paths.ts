/** Paths of the pages. The server responds to each path with its document and 200, and to other page paths with 404. */
export const routePaths = [
  '/',
  '/sign-up',
  '/sign-in',
  '/forgot-password',
  '/reset-password',
  '/verify-email',
  '/developers',
  '/developers/playground',
  '/privacy',
  '/terms',
  '/dashboard',
  '/portfolio',
  '/watchlist',
  '/plans',
  '/plans/return',
  '/connections/return',
  '/settings',
  '/settings/connections',
  '/settings/billing',
  '/settings/api-keys',
  '/settings/assistant',
  '/settings/invite',
  '/operator/revenue',
] as const;

export type RoutePath = (typeof routePaths)[number];

/** Returns the pages of a deployment. The revenue report is a page only if a token is configured. */
export const listRoutePaths = ({ hasRevenue }: { hasRevenue: boolean }): RoutePath[] =>
  routePaths.filter((path) => hasRevenue || path !== '/operator/revenue');

/** Pages whose path may have one more segment, such as the id of a connection attempt. */
export const routesWithParam: readonly string[] = ['/connections/return', '/plans/return'];

/** Returns the page of a path without its query, or the path itself. */
export function toRoutePath(path: string): string {
  const routePath = path.replace(/\/[^/]+$/, '');
  return routesWithParam.includes(routePath) ? routePath : path;
}
