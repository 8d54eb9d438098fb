import { AppError } from '../../errors.ts';
import type { Guard, HttpApp } from '../../platform/http/app-type.ts';
import { route } from '../../platform/http/route.ts';
import type { Guards } from '../../platform/identity/guards.ts';
import { PRIVATE_CACHE_CONTROL } from '../../platform/identity/member-access.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { isReservedAccount, type ReferralContext } from './context.ts';
import { referralLink, routes } from './contract.ts';
import type { ReferralLimits } from './limits.ts';
import { acceptCompletion } from './mark-completed.ts';
import { countByMonth, countReferrals, findReferrer } from './queries.ts';
import { getReferralLink, referralUrl } from './referral-link.ts';
import { acceptSignup } from './track-signup.ts';

interface ReferralRouteDependencies extends ReferralContext {
  guards: Guards;
  limits: ReferralLimits;
  jobs: Pick<Jobs, 'add'>;
  baseUrl: string;
}

/** Maximum body size in bytes, enough for two identifiers. */
const bodyLimit = 4_096;

/** Adds `/api/referrals`: a member's own link and figures, and the public routes. */
export function addReferralRoutes(app: HttpApp, deps: ReferralRouteDependencies): void {
  const { sql, guards, limits, jobs } = deps;
  const { guard } = limits;

  route(app, routes.getReferralStats, { guard: guards.member }, (request, reply) => {
    reply.headers(PRIVATE_CACHE_CONTROL);
    return countReferrals(sql, guards.getMember(request).idpId);
  });

  route(app, routes.getReferralHistory, { guard: guards.member }, async (request, reply) => {
    reply.headers(PRIVATE_CACHE_CONTROL);
    return { months: await countByMonth(sql, guards.getMember(request).idpId) };
  });

  const inviterGuard = guards.editor({ rejects: ['demo-account', 'sample-user'] });
  route(app, routes.getReferralLink, { guard: inviterGuard }, async (request, reply) => {
    const link = await getReferralLink(sql, guards.getMember(request).idpId);
    if (link === undefined) throw new AppError('UNAUTHENTICATED');
    reply.header('cache-control', 'no-store');
    return { referral_link: link, url: referralUrl(deps.baseUrl, link) };
  });

  // Every malformed link returns one uniform 404, also if the general query validation would return 400.
  const linkFormatGuard: Guard = {
    ...guard,
    check: async (request) => {
      await guard.check(request);
      const { ref } = request.query as { ref?: unknown };
      if (!referralLink.safeParse(ref).success) throw new AppError('REFERRER_NOT_FOUND');
    },
  };
  route(app, routes.validateReferrer, { guard: linkFormatGuard }, async (request, reply) => {
    const link = request.query.ref!;
    await limits.consume(link);
    const referrer = await findReferrer(sql, link);
    if (referrer === undefined || isReservedAccount(deps.accounts, referrer)) throw new AppError('REFERRER_NOT_FOUND');
    reply.header('cache-control', 'no-store');
    return { valid: true as const, referrer_idp_id: referrer };
  });

  route(app, routes.trackSignup, { guard, bodyLimit }, async (request, reply) => {
    const { referred_idp_id: referred, referrer_idp_id: referrer } = request.body;
    await limits.consume(referred);
    await acceptSignup(jobs, { referred, referrer });
    reply.header('cache-control', 'no-store');
    return { success: true as const };
  });

  route(app, routes.markCompleted, { guard, bodyLimit }, async (request, reply) => {
    const { referred_idp_id: referred } = request.body;
    await limits.consume(referred);
    await acceptCompletion(jobs, referred);
    reply.header('cache-control', 'no-store');
    return { success: true as const };
  });
}
