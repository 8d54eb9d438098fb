import { navigate } from './location.ts';

let taken = { path: '', search: '' };

/** Takes the query out of the address, before anything could send it on; it is kept in memory for its page alone. */
export function takeQuery(): void {
  const { pathname: path, search, hash } = window.location;
  taken = { path, search };
  if (search + hash !== '') navigate(path, { replace: true });
}

/** What was taken out of the address of this page. */
export const takenQuery = (path: string): URLSearchParams =>
  new URLSearchParams(path === taken.path ? taken.search : '');
