import type { JWTVerifyGetKey } from 'jose';
import { errors, jwtVerify } from 'jose';

/** The provider's mark of a session token; tokens of templates and machines carry others. */
const SESSION_CATEGORY = 'cl_B7d4PD111AAA';
/** Clocks may differ by this many seconds. */
const CLOCK_TOLERANCE = 5;

export interface SessionClaims {
  sub: string;
  sid: string;
}

/** `unavailable`: the provider's keys cannot be had, so nothing can be said about the token. */
export type TokenCheck = { ok: true; claims: SessionClaims } | { ok: false; reason: 'invalid' | 'unavailable' };

export interface TokenRules {
  keys: JWTVerifyGetKey;
  issuer: string;
  /** Origins that may have asked for the token (`azp`); a token that names none is refused. */
  authorizedParties: ReadonlySet<string>;
}

const ID = /^[A-Za-z0-9_-]{1,128}$/;
const isId = (value: unknown): value is string => typeof value === 'string' && ID.test(value);

/** Signature (RS256 alone), issuer, times, subject, session, authorised party, category and state of a session token. */
export async function checkSessionToken(token: string, rules: TokenRules): Promise<TokenCheck> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, rules.keys, {
      algorithms: ['RS256'],
      issuer: rules.issuer,
      clockTolerance: CLOCK_TOLERANCE,
      requiredClaims: ['exp', 'iat', 'sub', 'sid', 'azp'],
    });
    const { sub, sid, azp, sts } = payload;
    const good =
      protectedHeader.cat === SESSION_CATEGORY && isId(sub) && isId(sid) && typeof azp === 'string' && rules.authorizedParties.has(azp) && sts !== 'pending';
    return good ? { ok: true, claims: { sub, sid } } : { ok: false, reason: 'invalid' };
  } catch (error) {
    return { ok: false, reason: isTokenFault(error) ? 'invalid' : 'unavailable' };
  }
}

/** Whether the token is to blame, and not the way to the provider's keys. */
function isTokenFault(error: unknown): boolean {
  return (
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWTExpired ||
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWKSNoMatchingKey
  );
}
