/** Addresses that are pages: the server answers each with its own document and 200, every other page address with
 * 404. */
export const pagePaths = [
  '/',
  '/sign-up',
  '/sign-in',
  '/dashboard',
  '/plans',
  '/settings',
  '/settings/api-keys',
  '/settings/invite',
] as const;

export type PagePath = (typeof pagePaths)[number];
