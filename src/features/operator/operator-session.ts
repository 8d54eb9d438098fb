import { createHmac, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { Guard } from '../../platform/http/app-type.ts';
import { recordRateLimitState } from '../../platform/http/rate-limit-headers.ts';
import { toRateLimitAddress } from '../../platform/http/rate-limit-address.ts';
import type { RateLimiter } from '../../platform/http/rate-limit.ts';
import { readCookie } from '../../platform/identity/cookies.ts';
import { classifyOrigin, createCrossOriginError, listAllowedOrigins } from '../../platform/identity/origins.ts';
import { deleteSession, insertSession, touchSession } from './queries.ts';

const COOKIE_NAME = 'tally_operator';
const SESSION_ID = /^[\w-]{43}$/;
const SAFE_METHODS = new Set(['GET', 'HEAD']);

interface OperatorSessionOptions {
  sql: ServiceSql;
  /** OPERATOR_TOKEN. Without it, the guard returns NOT_FOUND. */
  token: string | undefined;
  baseUrl: string;
  limiter: RateLimiter;
}

/** Creates, checks and ends sessions of the operator. Only a hash of the random id is stored. */
export function createOperatorSessions({ sql, token, baseUrl, limiter }: OperatorSessionOptions) {
  const origins = listAllowedOrigins(baseUrl);
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  const toHash = (id: string): Buffer => createHmac('sha256', token!).update(id).digest();
  const readId = ({ headers }: FastifyRequest): string | undefined => {
    const id = readCookie(headers.cookie, COOKIE_NAME);
    return id !== undefined && SESSION_ID.test(id) ? id : undefined;
  };
  const guard: Guard = {
    description: 'operator: session of OPERATOR_TOKEN',
    limit: { per: 'address', rates: [limiter.rate] },
    async check(request) {
      if (token === undefined) throw new AppError('NOT_FOUND');
      const rateLimit = await limiter.consume(toRateLimitAddress(request));
      recordRateLimitState(request, rateLimit.state);
      if (!rateLimit.ok) throw new AppError('RATE_LIMITED', { retryAfter: rateLimit.retryAfter });
      const id = readId(request);
      if (id === undefined) throw new AppError('UNAUTHENTICATED', { message: 'Sign in with the OPERATOR_TOKEN.' });
      if (!SAFE_METHODS.has(request.method) && classifyOrigin(request.headers, origins) !== 'same')
        throw createCrossOriginError(request.headers, origins);
      if (!(await touchSession(sql, toHash(id))))
        throw new AppError('UNAUTHENTICATED', { message: 'The session has ended. Sign in with the OPERATOR_TOKEN.' });
    },
  };
  return {
    guard,
    /** Creates a session and returns the header that sets its cookie. */
    async start(): Promise<string> {
      const id = randomBytes(32).toString('base64url');
      await insertSession(sql, toHash(id));
      return `${COOKIE_NAME}=${id}; Path=/api/operator; HttpOnly; SameSite=Strict${secure}`;
    },
    /** Ends the session of the request and returns the header that removes its cookie. */
    async end(request: FastifyRequest): Promise<string> {
      const id = readId(request);
      if (id !== undefined) await deleteSession(sql, toHash(id));
      return `${COOKIE_NAME}=; Path=/api/operator; HttpOnly; SameSite=Strict; Max-Age=0${secure}`;
    },
  };
}
