import type { FastifyRequest } from 'fastify';
import type { ServiceSql } from '../../../platform/database/roles.ts';
import { AppError } from '../../../errors.ts';
import type { Guard } from '../../../platform/http/app-type.ts';
import { toRateLimitAddress } from '../../../platform/http/rate-limit-address.ts';
import { recordRateLimitState } from '../../../platform/http/rate-limit-headers.ts';
import type { RateLimiter } from '../../../platform/http/rate-limit.ts';
import type { SharedRateLimits } from '../../../platform/http/redis-rate-limiter.ts';
import { classifyOrigin } from '../../../platform/identity/origins.ts';
import { type TokenHolder, findTokenHolder } from './queries.ts';
import { hashToken, hasTokenFormat } from './token.ts';

const MAX_REQUESTS_PER_MINUTE = 120;
const MAX_REJECTIONS_PER_MINUTE = 30;
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]{1,512}=*)$/i;
/**
 * Value of the `www-authenticate` header. It names no discovery URL, because tokens are created on the settings page.
 */
const CHALLENGE = 'Bearer realm="tally"';

const MISSING_TOKEN = {
  message: 'Create a token under Settings, Assistant, and send it as "Authorization: Bearer <token>".',
  challenge: CHALLENGE,
};
const INVALID_TOKEN = {
  message: 'This token is unknown, expired or revoked; create a new one under Settings, Assistant.',
  challenge: `${CHALLENGE}, error="invalid_token", error_description="unknown, expired or revoked"`,
};

interface TokenGuardOptions {
  sql: ServiceSql;
  createLimiter: SharedRateLimits['createLimiter'];
  /** Origins whose pages may call. Programs send no origin. */
  origins: ReadonlySet<string>;
}

/** Guard for the holders of member tokens. It exposes the holder of each accepted request. */
export type TokenGuard = ReturnType<typeof createTokenGuard>;

/**
 * Creates the guard. It returns 403 for a page of another origin, 401 with `www-authenticate` without a valid token,
 * and 429 beyond the requests of a member or the rejections of an address.
 */
export function createTokenGuard({ sql, createLimiter, origins }: TokenGuardOptions) {
  const holderByRequest = new WeakMap<FastifyRequest, TokenHolder>();
  const memberLimiter = createLimiter({ name: 'mcp', limit: MAX_REQUESTS_PER_MINUTE });
  const rejectionLimiter = createLimiter({ name: 'mcp-rejected', limit: MAX_REJECTIONS_PER_MINUTE });

  const guard: Guard = {
    description: "holder of a member's token",
    limit: { per: 'member', rates: [memberLimiter.rate] },
    async check(request) {
      if (request.headers.origin !== undefined && classifyOrigin(request.headers, origins) === 'foreign')
        throw new AppError('CROSS_ORIGIN', { message: 'Pages of other sites may not call this URL.' });
      const token = parseBearerToken(request);
      const holder =
        token !== undefined && hasTokenFormat(token) ? await findTokenHolder(sql, hashToken(token)) : undefined;
      if (!holder) {
        await consumeRateLimit(rejectionLimiter, request, toRateLimitAddress(request));
        throw new AppError('UNAUTHENTICATED', token === undefined ? MISSING_TOKEN : INVALID_TOKEN);
      }
      await consumeRateLimit(memberLimiter, request, holder.idp_id);
      holderByRequest.set(request, holder);
    },
  };
  return {
    guard,
    getHolder(request: FastifyRequest): TokenHolder {
      const holder = holderByRequest.get(request);
      if (!holder) throw new Error('Route has no token guard.');
      return holder;
    },
  };
}

async function consumeRateLimit(limiter: RateLimiter, request: FastifyRequest, key: string): Promise<void> {
  const result = await limiter.consume(key);
  recordRateLimitState(request, result.state);
  if (!result.ok) throw new AppError('RATE_LIMITED', { retryAfter: result.retryAfter });
}

const parseBearerToken = (request: FastifyRequest): string | undefined =>
  BEARER.exec(request.headers.authorization ?? '')?.[1];

/** Creates the error for a tool that the token's scopes exclude. */
export const insufficientScopeError = (scope: string): AppError =>
  new AppError('FORBIDDEN', {
    message: `This token lacks the scope "${scope}"; create a token with this scope.`,
    challenge: `${CHALLENGE}, error="insufficient_scope", scope="${scope}"`,
  });
