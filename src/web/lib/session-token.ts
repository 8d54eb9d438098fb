/** A session token with the time, on the page's monotonic clock in ms, at which it stops being good. */
export interface SessionToken {
  jwt: string;
  goodUntil: number;
}

const ASSUMED_LIFE_S = 60;

/**
 * Reads a token's life from its own `iat` and `exp`, counted from now on: the page's clock may be wrong, a difference
 * is not. The signature is the server's business.
 */
export function readToken(jwt: string, now: number): SessionToken {
  return { jwt, goodUntil: now + lifeSeconds(jwt) * 1000 };
}

function lifeSeconds(jwt: string): number {
  try {
    const payload = (jwt.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const { iat, exp } = JSON.parse(atob(payload)) as { iat?: unknown; exp?: unknown };
    return typeof iat === 'number' && typeof exp === 'number' && exp > iat ? exp - iat : ASSUMED_LIFE_S;
  } catch {
    return ASSUMED_LIFE_S;
  }
}
