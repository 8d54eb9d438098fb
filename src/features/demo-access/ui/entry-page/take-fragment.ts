const { pathname, search } = location;

/**
 * Whether the page was opened by a link whose `#` was changed on the way, so that its code stood in the path or the
 * query. It is not read from there: servers have seen it.
 */
export const isAltered = !/^\/+demo(?:-|%2d)access\/*$/i.test(pathname) || /code(?:=|%)/i.test(search);

// The first effect of the page: whatever runs later finds an address without the link.
let taken = takeFragment();
if (isAltered) history.replaceState(null, '', '/demo-access');
let tell: ((fragment: string) => void) | undefined;

// A second link that is pasted into the open page loads nothing anew.
addEventListener('hashchange', () => {
  const fragment = takeFragment();
  // What comes before anybody listens stands in for the one that the page was opened with.
  if (fragment !== '' && tell) tell(fragment);
  else if (fragment !== '') taken = fragment;
});

function takeFragment(): string {
  const { hash, pathname, search } = location;
  if (hash !== '') history.replaceState(null, '', pathname + search);
  return hash;
}

/** Tells the fragment that the page was opened with (`#…`, or empty), and then each one that is pasted. */
export function onFragment(listener: (fragment: string) => void): void {
  tell = listener;
  const first = taken;
  taken = '';
  listener(first);
}
