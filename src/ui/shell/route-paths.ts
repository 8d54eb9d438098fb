/** Addresses that are pages: the server answers each with its document and 200, any other page address with 404. */
export const routePaths = [
  '/',
  '/sign-up',
  '/sign-in',
  '/dashboard',
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

/** The pages of a deployment: the revenue report is one only where a token opens it. */
export const listRoutePaths = ({ hasRevenue }: { hasRevenue: boolean }): RoutePath[] =>
  routePaths.filter((path) => hasRevenue || path !== '/operator/revenue');

/** Pages whose address may go on with one part more, such as the attempt that somebody returns from. */
export const routesWithParam: readonly string[] = ['/connections/return', '/plans/return'];

/** The page that an address without its query leads to, or the address itself. */
export function toRoutePath(path: string): string {
  const routePath = path.replace(/\/[^/]+$/, '');
  return routesWithParam.includes(routePath) ? routePath : path;
}
