import { z } from 'zod';
import type { FailureCode } from '../errors.ts';

// What routes may be refused with, for the OpenAPI document alone: `error-handler.ts` writes the bodies.

/** The house's error body with one of these codes. */
export const coded = <const Codes extends readonly [FailureCode, ...FailureCode[]]>(...codes: Codes) =>
  z.object({ code: z.enum(codes), message: z.string() });

/** Of every route of a member: nobody is signed in, too many requests, the identity provider is away. */
export const memberRefusals = { 401: coded('UNAUTHENTICATED'), 429: coded('RATE_LIMITED'), 503: coded('UNAVAILABLE') };

/** Of a route that looks at its query; `path` names the parameter. */
export const queryRefusals = {
  400: coded('INVALID_REQUEST').extend({
    issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  }),
};

/** Of every write: a body is read, and judged, before the route looks whether it wants one. */
export const bodyRefusals = { ...queryRefusals, 413: coded('PAYLOAD_TOO_LARGE'), 415: coded('UNSUPPORTED_MEDIA_TYPE') };
