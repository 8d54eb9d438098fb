/** Paths of the pages. The server responds to each path with its document and 200, and to other page paths with 404. */
export const routePaths = [
  '/',
  '/sign-up',
  '/sign-in',
  '/forgot-password',
  '/reset-password',
  '/verify-email',
  '/stop-email-change',
  '/stop-alert-mails',
  '/developers',
  '/developers/playground',
  '/privacy',
  '/terms',
  '/dashboard',
  '/portfolio',
  '/watchlist',
  '/assistant',
  '/plans',
  '/plans/return',
  '/connections/return',
  '/settings',
  '/settings/security',
  '/settings/connections',
  '/settings/billing',
  '/settings/api-keys',
  '/settings/assistant',
  '/settings/invite',
  '/operator',
  '/operator/revenue',
] as const;

export type RoutePath = (typeof routePaths)[number];

/** Returns the pages of a deployment. A page of the operator exists only if its token is configured. */
export const listRoutePaths = ({
  hasRevenue,
  hasOperator,
}: {
  hasRevenue: boolean;
  hasOperator: boolean;
}): RoutePath[] =>
  routePaths.filter((path) => (hasRevenue || path !== '/operator/revenue') && (hasOperator || path !== '/operator'));

/** Pages whose path may have one more segment, such as the id of a connection attempt. */
export const routesWithParam: readonly string[] = ['/connections/return', '/plans/return'];

/** Returns the page of a path without its query, or the path itself. */
export function toRoutePath(path: string): string {
  const routePath = path.replace(/\/[^/]+$/, '');
  return routesWithParam.includes(routePath) ? routePath : path;
}
