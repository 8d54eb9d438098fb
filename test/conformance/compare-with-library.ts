import { createClerkClient } from '@clerk/backend';
import { isClerkAPIResponseError } from '@clerk/backend/errors';
import { checks } from './checks.ts';
import { openConformanceApp } from './conformance-app.ts';
import { noteRequestsElsewhere } from './note-requests.ts';
import { printCompared } from './print-compared.ts';

/** Runs every check against a fresh embedded provider and prints what was compared; `true` where all agree. */
export async function compareWithLibrary(): Promise<boolean> {
  const closing: (() => Promise<void>)[] = [];
  const app = await openConformanceApp((work) => closing.push(work));
  const library = createClerkClient({ secretKey: app.secretKey, apiUrl: app.apiUrl, telemetry: { disabled: true } });
  const elsewhere = noteRequestsElsewhere();
  let differing: number;
  try {
    differing = await printCompared(checks, { ...app, library, refusalOf });
  } finally {
    for (const work of closing.reverse()) await work();
  }
  console.log(
    `${checks.length - differing} of ${checks.length} outcomes are what @clerk/backend 3.20.1 understands them to be` +
      `, ${elsewhere.length} requests to elsewhere`,
  );
  return differing === 0 && elsewhere.length === 0;
}

/** What the library makes of a refusal: status and first code. */
export async function refusalOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return { resolved: await call };
  } catch (error) {
    if (!isClerkAPIResponseError(error)) return { thrown: String(error) };
    return [error.status, error.errors[0]?.code, typeof error.clerkTraceId === 'string'];
  }
}
