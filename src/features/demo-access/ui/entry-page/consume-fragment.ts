const { pathname, search } = location;

/**
 * Whether the page was opened by a link whose `#` was changed on the way, so that its code stood in the path or the
 * query. It is not read from there: servers have seen it.
 */
export const isAltered = !/^\/+demo(?:-|%2d)access\/*$/i.test(pathname) || /code(?:=|%)/i.test(search);

// The first effect of the page: whatever runs later finds an address without the link.
let pendingFragment = consumeFragment();
if (isAltered) history.replaceState(null, '', '/demo-access');
let notifyListener: ((fragment: string) => void) | undefined;

// A second link that is pasted into the open page loads nothing anew.
addEventListener('hashchange', () => {
  const fragment = consumeFragment();
  // What comes before anybody listens stands in for the one that the page was opened with.
  if (fragment !== '' && notifyListener) notifyListener(fragment);
  else if (fragment !== '') pendingFragment = fragment;
});

function consumeFragment(): string {
  const { hash, pathname, search } = location;
  if (hash !== '') history.replaceState(null, '', pathname + search);
  return hash;
}

/** Tells the fragment that the page was opened with (`#…`, or empty), and then each one that is pasted. */
export function onUrlFragment(listener: (fragment: string) => void): void {
  notifyListener = listener;
  const first = pendingFragment;
  pendingFragment = '';
  listener(first);
}
