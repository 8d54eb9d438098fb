import type { FastifyRequest } from 'fastify';
import type { ServiceSql } from '../../../platform/database/roles.ts';
import { Failure } from '../../../errors.ts';
import type { Guard } from '../../../platform/http/app-type.ts';
import { limitedAddress } from '../../../platform/http/limited-address.ts';
import { noteStanding } from '../../../platform/http/rate-limit-headers.ts';
import type { RateLimiter } from '../../../platform/http/rate-limit.ts';
import type { SharedLimits } from '../../../platform/http/shared-limits.ts';
import { originOf } from '../../../platform/identity/origins.ts';
import { type TokenHolder, useToken } from './queries.ts';
import { hashToken, looksLikeToken } from './token.ts';

const REQUESTS_A_MINUTE = 120;
const REFUSALS_A_MINUTE = 30;
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]{1,512}=*)$/i;
/** What the header `www-authenticate` says; there is nothing to discover, tokens come from the settings page. */
const CHALLENGE = 'Bearer realm="tally"';

const NO_TOKEN = {
  message: 'Make a token under Settings, Assistant, and send it as "Authorization: Bearer <token>".',
  challenge: CHALLENGE,
};
const NOT_IN_EFFECT = {
  message: 'This token is unknown, expired or revoked; make a new one under Settings, Assistant.',
  challenge: `${CHALLENGE}, error="invalid_token", error_description="unknown, expired or revoked"`,
};

interface TokenGuardOptions {
  sql: ServiceSql;
  limiterOf: SharedLimits['limiter'];
  /** Origins whose pages may call; a program sends none. */
  origins: ReadonlySet<string>;
}

/** Lets the holder of a member's token pass, and knows afterwards whom it let through. */
export type TokenGuard = ReturnType<typeof createTokenGuard>;

/**
 * 403 for a page of another origin, 401 with `www-authenticate` for no token or none in effect, 429 past a member's
 * requests a minute, or past an address's refusals.
 */
export function createTokenGuard({ sql, limiterOf, origins }: TokenGuardOptions) {
  const holders = new WeakMap<FastifyRequest, TokenHolder>();
  const ofMembers = limiterOf({ name: 'mcp', limit: REQUESTS_A_MINUTE });
  const ofRefused = limiterOf({ name: 'mcp-refused', limit: REFUSALS_A_MINUTE });

  const guard: Guard = {
    says: "holder of a member's token",
    async check(request) {
      if (request.headers.origin !== undefined && originOf(request.headers, origins) === 'foreign')
        throw new Failure('CROSS_ORIGIN', { message: 'Pages of other sites may not call this address.' });
      const sent = tokenOf(request);
      const holder = sent !== undefined && looksLikeToken(sent) ? await useToken(sql, hashToken(sent)) : undefined;
      if (!holder) {
        await take(ofRefused, request, limitedAddress(request));
        throw new Failure('UNAUTHENTICATED', sent === undefined ? NO_TOKEN : NOT_IN_EFFECT);
      }
      await take(ofMembers, request, holder.idp_id);
      holders.set(request, holder);
    },
  };
  return {
    guard,
    holderOf(request: FastifyRequest): TokenHolder {
      const holder = holders.get(request);
      if (!holder) throw new Error('This route declares no guard that asks for a token.');
      return holder;
    },
  };
}

async function take(limiter: RateLimiter, request: FastifyRequest, key: string): Promise<void> {
  const taken = await limiter.take(key);
  noteStanding(request, taken.standing);
  if (!taken.ok) throw new Failure('RATE_LIMITED', { retryAfter: taken.retryAfter });
}

const tokenOf = (request: FastifyRequest): string | undefined => BEARER.exec(request.headers.authorization ?? '')?.[1];

/** The refusal of a tool that the token's scopes leave out. */
export const outOfScope = (scope: string): Failure =>
  new Failure('FORBIDDEN', {
    message: `This token may not be used for that; make one with the scope "${scope}".`,
    challenge: `${CHALLENGE}, error="insufficient_scope", scope="${scope}"`,
  });
