import { createClerkClient } from '@clerk/backend';
import { isClerkAPIResponseError } from '@clerk/backend/errors';
import { checks } from './checks.ts';
import { openConformanceApp } from './conformance-app.ts';

/** Runs every check against a fresh embedded provider and prints what was compared; `true` where all agree. */
export async function compareWithLibrary(): Promise<boolean> {
  const closing: (() => Promise<void>)[] = [];
  const app = await openConformanceApp((work) => closing.push(work));
  const library = createClerkClient({ secretKey: app.secretKey, apiUrl: app.apiUrl, telemetry: { disabled: true } });
  let differing = 0;
  try {
    for (const [name, check] of checks) {
      const [expected, actual] = await check({ ...app, library, refusalOf }).catch((error: unknown) => [
        'an outcome',
        String(error),
      ]);
      const same = JSON.stringify(expected) === JSON.stringify(actual);
      if (!same) differing += 1;
      console.log(
        `${same ? 'same' : 'DIFFERS'}  ` +
          `${name}${same ? '' : `\n  expected ${JSON.stringify(expected)}\n  library  ${JSON.stringify(actual)}`}`,
      );
    }
  } finally {
    for (const work of closing.reverse()) await work();
  }
  console.log(
    `${checks.length - differing} of ${checks.length} outcomes are what @clerk/backend 3.20.1 understands them to be`,
  );
  return differing === 0;
}

/** What the library makes of a refusal: status and first code. */
async function refusalOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return { resolved: await call };
  } catch (error) {
    if (!isClerkAPIResponseError(error)) return { thrown: String(error) };
    return [error.status, error.errors[0]?.code, typeof error.clerkTraceId === 'string'];
  }
}
