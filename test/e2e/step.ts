import type { TestContext } from 'node:test';

/**
 * One rule among several that are shown on one page, since a page of its own costs as much as the rule. Where it is
 * broken the test ends: what follows would fail for the state in which it left the page.
 */
export async function step(t: TestContext, title: string, show: () => Promise<void>): Promise<void> {
  let broken = true;
  await t.test(title, async () => {
    await show();
    broken = false;
  });
  if (broken) throw new Error(`What follows on this page was not begun, since this failed: ${title}`);
}
