import type { FastifyRequest } from 'fastify';
import { hasDoNotTrack } from '../../platform/analytics/do-not-track.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { AppError } from '../../errors.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { guardRoutes, publicGuard } from '../../platform/http/guard.ts';
import { route } from '../../platform/http/route.ts';
import type { Guards } from '../../platform/identity/guards.ts';
import { listAllowedOrigins } from '../../platform/identity/origins.ts';
import { type Change, changePlan, previewChange, setCancellation } from './change-plan.ts';
import { selectCustomer } from './checkout-queries.ts';
import { type BillingContext, PaymentProviderUnavailable } from './context.ts';
import { type PlansResponse, routes, type Tier } from './contract.ts';
import type { TierLookup } from './look-up-tier.ts';
import { getBillingResponse } from './get-billing-response.ts';
import { selectPlans } from './queries.ts';
import { returnFromCheckout } from './return-from-checkout.ts';
import { startCheckout, type StartedCheckout } from './start-checkout.ts';

export interface BillingRouteDependencies {
  database: Pick<Database, 'service' | 'asMember'>;
  /** Context of sales, `undefined` if nothing is for sale. */
  context: BillingContext | undefined;
  guards: Guards;
  baseUrl: string;
  getTier: (idpId: string) => Promise<TierLookup>;
}

const TIER_RETRY_AFTER_SECONDS = 5;
const PAYMENTS_RETRY_AFTER_SECONDS = 30;
const paymentsUnavailable = () => new AppError('PAYMENTS_UNAVAILABLE', { retryAfter: PAYMENTS_RETRY_AFTER_SECONDS });
const notSubscribed = () => new AppError('CONFLICT', { message: 'There is no paid plan to change.' });

/** Adds `GET /api/plans` with all plans and the member’s own, and `/api/billing` with the member's payments. */
export async function addBillingRoutes(app: HttpApp, deps: BillingRouteDependencies): Promise<void> {
  const { database, context, guards, baseUrl, getTier } = deps;
  const sql = database.service;
  const origins = listAllowedOrigins(baseUrl);
  const getBillingContext = ({ headers }: FastifyRequest): BillingContext => {
    if (context) return { ...context, hasDeclinedAnalytics: hasDoNotTrack(headers) };
    throw new AppError('NOT_CONFIGURED', { message: 'Nothing is sold on this deployment.', retryAfter: 3_600 });
  };
  const getCurrentTier = async (idpId: string): Promise<Tier> => {
    const current = await getTier(idpId);
    if (!current.ok) throw new AppError('TIER_UNAVAILABLE', { retryAfter: TIER_RETRY_AFTER_SECONDS });
    return current.tier;
  };
  const getBilling = async (idpId: string) =>
    getBillingResponse(
      { member: database.asMember({ sub: idpId }), service: sql },
      context?.payments,
      await getCurrentTier(idpId),
    );
  /** Converts an error of the unavailable provider to the API's 503 response. */
  const withUnavailableError = async <Value>(work: Promise<Value>): Promise<Value> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof PaymentProviderUnavailable) throw paymentsUnavailable();
      throw error;
    }
  };
  const applyChange = async (
    request: FastifyRequest,
    work: (context: BillingContext, idpId: string) => Promise<Change>,
  ) => {
    const { idpId } = guards.getMember(request);
    const change = await withUnavailableError(work(getBillingContext(request), idpId));
    if (!change.ok) throw toApiError(change);
    return getBilling(idpId);
  };
  /**
   * Returns the origin to which the browser returns. Loopback addresses keep their spelling, since the session cookie
   * depends on it.
   */
  const getReturnOrigin = ({ headers: { origin } }: FastifyRequest): string =>
    origin !== undefined && origins.has(origin) ? origin : new URL(baseUrl).origin;

  const visitorPlans = createVisitorPlans(sql);
  const plansGuard = publicGuard('visitors compare the plans before they have an account');
  route(app, routes.listPlans, { guard: plansGuard }, async (request, reply) => {
    reply.header('cache-control', 'private, no-cache');
    if (!hasCredential(request)) return { current: null, plans: await visitorPlans() };
    // Sequential: if the database is unavailable, the error of the tier is returned.
    const current = await getCurrentTier((await guards.requireMember(request)).idpId);
    return { current, plans: await selectPlans(sql) };
  });

  await app.register(async (scope) => {
    guardRoutes(scope, {
      reads: guards.member,
      writes: guards.editor({ rejects: ['demo-account', 'demo-tour', 'sample-user'] }),
    });
    scope.addHook('onSend', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });

    route(scope, routes.getBilling, (request) => getBilling(guards.getMember(request).idpId));

    route(scope, routes.startCheckout, async (request, reply) => {
      const { idpId } = guards.getMember(request);
      const { tier, entry = null } = request.body;
      const started = await withUnavailableError(
        startCheckout(getBillingContext(request), { idpId, tier, entry, origin: getReturnOrigin(request) }),
      );
      if (!started.ok) throw toApiError(started);
      reply.code(started.isNew ? 201 : 200);
      return { checkout_id: started.checkoutId, url: started.url };
    });

    route(scope, routes.previewPlanChange, async (request) => {
      const preview = await withUnavailableError(
        previewChange(getBillingContext(request), guards.getMember(request).idpId, request.body.tier),
      );
      if (!preview.ok) throw toApiError(preview);
      const { dueNowMinor, currency, effectiveAt } = preview;
      return { due_now_minor: dueNowMinor, currency, effective_at: effectiveAt.toISOString() };
    });

    route(scope, routes.changePlan, (request) => {
      const { tier: to, entry = null } = request.body;
      return applyChange(request, (context, idpId) => changePlan(context, idpId, { to, entry }));
    });

    route(scope, routes.cancelPlan, (request) =>
      applyChange(request, (context, idpId) => setCancellation(context, idpId, true)),
    );

    route(scope, routes.resumePlan, (request) =>
      applyChange(request, (context, idpId) => setCancellation(context, idpId, false)),
    );

    route(scope, routes.openPaymentPortal, async (request, reply) => {
      const { idpId } = guards.getMember(request);
      const { payments } = getBillingContext(request);
      const customer = await selectCustomer(sql, idpId);
      if (!customer?.customer_id) throw notSubscribed();
      const returnUrl = `${getReturnOrigin(request)}/settings/billing?from=portal`;
      const portal = await payments.createPortal(customer.customer_id, returnUrl);
      if (!portal.ok) throw paymentsUnavailable();
      reply.code(201);
      return { url: portal.value };
    });

    route(scope, routes.syncBilling, async (request) => {
      const { idpId } = guards.getMember(request);
      const { checkout_id: id } = request.body;
      const returned = await withUnavailableError(returnFromCheckout(getBillingContext(request), idpId, id));
      if (!returned) throw new AppError('NOT_FOUND', { message: 'You have no such checkout.' });
      const { checkout } = returned;
      return {
        ...(await getBilling(idpId)),
        checkout: checkout && { id: checkout.id, status: checkout.status, tier: checkout.tier },
      };
    });
  });
}

/** Returns whether a request claims to be a member's. An invalid credential is an error, not a visitor. */
const hasCredential = ({ headers: { authorization, cookie } }: FastifyRequest): boolean =>
  authorization !== undefined || /(^|;)\s*__session/.test(cookie ?? '');

/** Time in ms for which visitors may see plans of before a change. */
const VISITOR_PLANS_TTL_MS = 10_000;

/** Creates a reader of the plans for visitors, whose number nothing limits. One query serves all of them. */
function createVisitorPlans(sql: ServiceSql): () => Promise<PlansResponse['plans']> {
  let read: { plans: Promise<PlansResponse['plans']>; until: number } | undefined;
  return () => {
    const now = performance.now();
    if (!read || read.until < now) read = { plans: selectPlans(sql), until: now + VISITOR_PLANS_TTL_MS };
    const { plans } = read;
    plans.catch(() => {
      if (read?.plans === plans) read = undefined;
    });
    return plans;
  };
}

function toApiError(result: (Change | StartedCheckout) & { ok: false }): AppError {
  switch (result.reason) {
    case 'unavailable':
      return paymentsUnavailable();
    case 'not_for_sale':
      return new AppError('INVALID_REQUEST', { issues: [{ path: 'tier', message: 'this plan is not for sale' }] });
    case 'already_subscribed':
      return new AppError('ALREADY_SUBSCRIBED');
    case 'not_subscribed':
      return notSubscribed();
    case 'same_plan':
      return new AppError('CONFLICT', { message: 'This is the plan already.' });
    case 'payment_required':
      return new AppError('PAYMENT_REQUIRED', { body: { url: result.url } });
  }
}
