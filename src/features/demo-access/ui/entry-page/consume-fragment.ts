const { pathname, search } = location;

/**
 * Whether the `#` of the link was changed, so that its code was in the path or the query. The code is not read from
 * there, because servers have received it.
 */
export const isLinkAltered = !/^\/+demo(?:-|%2d)access\/*$/i.test(pathname) || /code(?:=|%)/i.test(search);

// Runs before any other code of the page, so that later code sees a URL without the link.
let pendingFragment = consumeFragment();
if (isLinkAltered) history.replaceState(null, '', '/demo-access');
let notifyListener: ((fragment: string) => void) | undefined;

// A second link pasted into the open page does not reload the page.
addEventListener('hashchange', () => {
  const fragment = consumeFragment();
  // A fragment that is pasted before the first listener replaces the initial one.
  if (fragment !== '' && notifyListener) notifyListener(fragment);
  else if (fragment !== '') pendingFragment = fragment;
});

function consumeFragment(): string {
  const { hash, pathname, search } = location;
  if (hash !== '') history.replaceState(null, '', pathname + search);
  return hash;
}

/** Calls the listener with the initial fragment of the page (`#…`, or empty), and with each fragment pasted later. */
export function onUrlFragment(listener: (fragment: string) => void): void {
  notifyListener = listener;
  const first = pendingFragment;
  pendingFragment = '';
  listener(first);
}
