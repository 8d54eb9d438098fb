import { navigate } from '../../web/lib/location.ts';

const { pathname: path, search, hash } = window.location;
// As soon as the page's script is here, before the page is drawn and anything could send the address on.
if (search + hash !== '' && path.startsWith('/connections/return')) navigate(path, { replace: true });

/** What was taken out of the address of this page, which is kept in memory alone. */
export const takenQuery = (page: string): URLSearchParams => new URLSearchParams(page === path ? search : '');
