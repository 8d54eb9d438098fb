import { isLinkAltered, onUrlFragment } from './consume-fragment.ts';
import { loadConfig } from '../../../../ui/shell/session/public-config.ts';
import { createIdentityClient } from '../../../../ui/shell/session/identity-client.ts';
import { createDemoApi } from './demo-api.ts';
import type { EntryState } from './entry-state.ts';
import { createSignInFlow } from './open-demo.ts';
import { type DemoLink, readLink } from './read-link.ts';
import { createView } from './show-state.ts';

/**
 * Starts the entry page of a demo link. The page sends no request until its button is pressed. The link is stored only
 * in memory.
 */
function start(): void {
  let link: DemoLink | undefined;
  let isOpening = false;
  let state: EntryState['kind'] = 'no-link';
  const signInFlow = createSignInFlow({
    identity: createIdentityClient(async () => (await loadConfig()).frontend_api_url),
    api: createDemoApi(),
    isOnline: () => navigator.onLine,
    now: Date.now,
  });
  const view = createView(() => {
    void openDemo();
  });

  function show(next: EntryState): void {
    state = next.kind;
    view.show(next);
  }

  async function openDemo(): Promise<void> {
    if (!link || isOpening) return;
    isOpening = true;
    const linkToOpen = link;
    show({ kind: 'opening', expiresAt: linkToOpen.expiresAt });
    const outcome = await signInFlow.open(linkToOpen);
    isOpening = false;
    if (outcome.kind === 'opened') {
      link = undefined;
      show(outcome);
      // A full page load discards the state of this document.
      location.replace('/dashboard');
    } else if (link === linkToOpen) show(outcome);
    else showLink(link);
  }

  /** Shows a link, or `fallback` without one. A link that is pasted while another one opens is shown afterwards. */
  function showLink(next: DemoLink | undefined, fallback: EntryState = { kind: 'refreshed' }): void {
    link = next;
    if (!isOpening) show(next ? { kind: 'ready', expiresAt: next.expiresAt } : fallback);
  }

  onUrlFragment((fragment) => {
    const result = readLink(fragment);
    if (result.ok) showLink(result.link);
    else showLink(undefined, { kind: result.reason === 'malformed' ? 'malformed' : getStateWithoutLink() });
  });
  addEventListener('online', () => {
    if (state === 'offline') view.announce('You are online again. You can try again now.');
  });
  // The back/forward cache must not store a link.
  addEventListener('pagehide', () => {
    link = undefined;
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) showLink(undefined);
  });
}

function getStateWithoutLink(): 'altered' | 'refreshed' | 'no-link' {
  if (isLinkAltered) return 'altered';
  return isReload() ? 'refreshed' : 'no-link';
}

/** Returns whether the page was reloaded or restored from the history, which loses the link. */
function isReload(): boolean {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return entry?.type === 'reload' || entry?.type === 'back_forward';
}

if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start);
else start();
