import { isAltered, onUrlFragment } from './consume-fragment.ts';
import { loadConfig } from '../../../../ui/shell/session/public-config.ts';
import { createIdentityClient } from '../../../../ui/shell/session/identity-client.ts';
import { createDemoApi } from './demo-api.ts';
import type { EntryState } from './entry-state.ts';
import { createSignInFlow } from './open-demo.ts';
import { type DemoLink, readLink } from './read-link.ts';
import { createView } from './show-state.ts';

/** The entry page of a demo link. Until its button is pressed it asks for nothing; the link is in its memory alone. */
function start(): void {
  let link: DemoLink | undefined;
  let isOpening = false;
  let state: EntryState['is'] = 'no-link';
  const signInFlow = createSignInFlow({
    identity: createIdentityClient(async () => (await loadConfig()).frontend_api_url),
    api: createDemoApi(),
    isOnline: () => navigator.onLine,
    now: Date.now,
  });
  const view = createView(() => void openDemo());

  function show(next: EntryState): void {
    state = next.is;
    view.show(next);
  }

  async function openDemo(): Promise<void> {
    if (!link || isOpening) return;
    isOpening = true;
    const openedLink = link;
    show({ is: 'opening', expiresAt: openedLink.expiresAt });
    const outcome = await signInFlow.open(openedLink);
    isOpening = false;
    if (outcome.is === 'opened') {
      link = undefined;
      show(outcome);
      // A whole load: what this document was opened with ends with it.
      location.replace('/dashboard');
    } else if (link === openedLink) show(outcome);
    else showLink(link);
  }

  /** A link, or what is missing of one. While one is being opened, the one that is pasted waits. */
  function showLink(next: DemoLink | undefined, fallback: EntryState = { is: 'refreshed' }): void {
    link = next;
    if (!isOpening) show(next ? { is: 'ready', expiresAt: next.expiresAt } : fallback);
  }

  onUrlFragment((fragment) => {
    const parsedLink = readLink(fragment);
    if (parsedLink === 'none')
      showLink(undefined, { is: isAltered ? 'altered' : isReload() ? 'refreshed' : 'no-link' });
    else if (parsedLink === 'malformed') showLink(undefined, { is: 'malformed' });
    else showLink(parsedLink);
  });
  addEventListener('online', () => {
    if (state === 'offline') view.say('You are online again. You can try again now.');
  });
  // A page that a browser keeps for "back" keeps no link.
  addEventListener('pagehide', () => (link = undefined));
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) showLink(undefined);
  });
}

/** Whether the page was loaded again, which has lost its link. */
function isReload(): boolean {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return entry?.type === 'reload' || entry?.type === 'back_forward';
}

if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start);
else start();
