import { createClerkClient } from '@clerk/backend';
import { isClerkAPIResponseError } from '@clerk/backend/errors';
import { checks } from './checks.ts';
import { openConformanceApp } from './conformance-app.ts';
import { recordForeignRequests } from './record-requests.ts';
import { printComparison } from './print-comparison.ts';

/**
 * Runs every check against a fresh embedded provider and prints the comparison. Returns `true` if all results agree.
 */
export async function compareWithLibrary(): Promise<boolean> {
  const cleanups: (() => Promise<void>)[] = [];
  const app = await openConformanceApp((work) => cleanups.push(work));
  const library = createClerkClient({ secretKey: app.secretKey, apiUrl: app.apiUrl, telemetry: { disabled: true } });
  const foreignRequests = recordForeignRequests();
  let differing: number;
  try {
    differing = await printComparison(checks, { ...app, library, getRejection });
  } finally {
    for (const work of cleanups.reverse()) await work();
  }
  console.log(
    `${checks.length - differing} of ${checks.length} outcomes are what @clerk/backend 3.20.1 understands them to be` +
      `, ${foreignRequests.length} requests to elsewhere`,
  );
  return differing === 0 && foreignRequests.length === 0;
}

/** Returns the library's error for a rejected call: status and first code. */
export async function getRejection(call: Promise<unknown>): Promise<unknown> {
  try {
    return { resolved: await call };
  } catch (error) {
    if (!isClerkAPIResponseError(error)) return { thrown: String(error) };
    return [error.status, error.errors[0]?.code, typeof error.clerkTraceId === 'string'];
  }
}
