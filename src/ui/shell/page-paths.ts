/** Addresses that are pages: the server answers each with its document and 200, any other page address with 404. */
export const pagePaths = [
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

export type PagePath = (typeof pagePaths)[number];

/** The pages of a deployment: the revenue report is one only where a token opens it. */
export const pagesOf = ({ hasRevenue }: { hasRevenue: boolean }): PagePath[] =>
  pagePaths.filter((path) => hasRevenue || path !== '/operator/revenue');

/** Pages whose address may go on with one part more, such as the attempt that somebody returns from. */
export const pagesWithPart: readonly string[] = ['/connections/return', '/plans/return'];

/** The page that an address without its query leads to, or the address itself. */
export function pagePathOf(path: string): string {
  const page = path.replace(/\/[^/]+$/, '');
  return pagesWithPart.includes(page) ? page : path;
}
