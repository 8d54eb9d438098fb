import type { EventProperties } from '../../analytics/contract.ts';

type Captured = [event: string, properties: EventProperties, at: number];

/** Behind what the page needs first; and again so much later where it did not arrive. */
const LATER_MS = 1_000;
const AGAIN_MS = 30_000;
/** Events that are held in memory until the code has come that keeps them. */
const MOST = 200;

let keep: ((...captured: Captured) => void) | undefined;
let early: Captured[] = [];
let asked = false;

/**
 * Captures an event of the signed-in member, which this browser keeps until the service has it (`send-events.ts`).
 * Never fails, never waits. The code that keeps and sends travels a second after a page's first event.
 */
export function captureEvent(event: string, properties: EventProperties): void {
  if (keep) return keep(event, properties, Date.now());
  if (early.length < MOST) early.push([event, properties, Date.now()]);
  if (!asked) setTimeout(() => void load(), LATER_MS);
  asked = true;
}

/** With `await`: the build takes a `then` behind `import()` into what it waits for, so a failure would pass it by. */
async function load(): Promise<void> {
  try {
    const sender = await import('./send-events.ts');
    keep = sender.keep;
    for (const captured of early) keep(...captured);
    early = [];
  } catch {
    setTimeout(() => void load(), AGAIN_MS);
  }
}
