import { isAltered, onFragment } from './take-fragment.ts';
import { loadConfig } from '../../../../ui/shell/session/config.ts';
import { createIdentityClient } from '../../../../ui/shell/session/identity-client.ts';
import { createDemoApi } from './demo-api.ts';
import type { EntryState } from './entry-state.ts';
import { createOpening } from './open-demo.ts';
import { type DemoLink, readLink } from './read-link.ts';
import { createScreen } from './show-state.ts';

/** The entry page of a demo link. Until its button is pressed it asks for nothing; the link is in its memory alone. */
function start(): void {
  let link: DemoLink | undefined;
  let opening = false;
  let state: EntryState['is'] = 'no-link';
  const demo = createOpening({
    identity: createIdentityClient(async () => (await loadConfig()).frontend_api_url),
    api: createDemoApi(),
    isOnline: () => navigator.onLine,
    now: Date.now,
  });
  const screen = createScreen(() => void press());

  function show(next: EntryState): void {
    state = next.is;
    screen.show(next);
  }

  async function press(): Promise<void> {
    if (!link || opening) return;
    opening = true;
    const pressed = link;
    show({ is: 'opening', goodUntil: pressed.goodUntil });
    const outcome = await demo.open(pressed);
    opening = false;
    if (outcome.is === 'opened') {
      link = undefined;
      show(outcome);
      // A whole load: what this document was opened with ends with it.
      location.replace('/dashboard');
    } else if (link === pressed) show(outcome);
    else meet(link);
  }

  /** A link, or what is missing of one. While one is being opened, the one that is pasted waits. */
  function meet(next: DemoLink | undefined, otherwise: EntryState = { is: 'refreshed' }): void {
    link = next;
    if (!opening) show(next ? { is: 'ready', goodUntil: next.goodUntil } : otherwise);
  }

  onFragment((fragment) => {
    const read = readLink(fragment);
    if (read === 'none') meet(undefined, { is: isAltered ? 'altered' : isReload() ? 'refreshed' : 'no-link' });
    else if (read === 'malformed') meet(undefined, { is: 'malformed' });
    else meet(read);
  });
  addEventListener('online', () => {
    if (state === 'offline') screen.say('You are online again. You can try again now.');
  });
  // A page that a browser keeps for "back" keeps no link.
  addEventListener('pagehide', () => (link = undefined));
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) meet(undefined);
  });
}

/** Whether the page was loaded again, which has lost its link. */
function isReload(): boolean {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return entry?.type === 'reload' || entry?.type === 'back_forward';
}

if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start);
else start();
