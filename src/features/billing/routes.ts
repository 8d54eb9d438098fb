import type { FastifyRequest } from 'fastify';
import { asksNotTo } from '../../platform/analytics/declined.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { Failure } from '../../errors.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { guardRoutes } from '../../platform/http/guard.ts';
import { route } from '../../platform/http/route.ts';
import type { Guards } from '../../platform/identity/guards.ts';
import { allowedOrigins } from '../../platform/identity/origins.ts';
import { type Change, changePlan, previewChange, setCancel } from './change-plan.ts';
import { selectCustomer } from './checkout-queries.ts';
import { type BillingContext, PaymentsAway } from './context.ts';
import { routes, type Tier } from './contract.ts';
import type { TierLookup } from './look-up-tier.ts';
import { presentBilling } from './present-billing.ts';
import { selectPlans } from './queries.ts';
import { returnFromCheckout } from './return-from-checkout.ts';
import { startCheckout, type StartedCheckout } from './start-checkout.ts';

export interface BillingRouteDependencies {
  sql: ServiceSql;
  /** None where nothing is sold. */
  ctx: BillingContext | undefined;
  guards: Guards;
  baseUrl: string;
  tierOf: (idpId: string) => Promise<TierLookup>;
}

const TRY_AGAIN_SECONDS = 5;
const AWAY_SECONDS = 30;
const away = () => new Failure('PAYMENTS_UNAVAILABLE', { retryAfter: AWAY_SECONDS });
const notSubscribed = () => new Failure('CONFLICT', { message: 'There is no paid plan to change.' });

/** `GET /api/plans`: what the plans allow, and which is the member’s. `/api/billing`: what a member pays. */
export async function addBillingRoutes(app: HttpApp, deps: BillingRouteDependencies): Promise<void> {
  const { sql, ctx, guards, baseUrl, tierOf } = deps;
  const origins = allowedOrigins(baseUrl);
  const selling = ({ headers }: FastifyRequest): BillingContext => {
    if (ctx) return { ...ctx, declined: asksNotTo(headers) };
    throw new Failure('NOT_CONFIGURED', { message: 'Nothing is sold on this deployment.', retryAfter: 3_600 });
  };
  const currentTier = async (idpId: string): Promise<Tier> => {
    const current = await tierOf(idpId);
    if (!current.ok) throw new Failure('TIER_UNAVAILABLE', { retryAfter: TRY_AGAIN_SECONDS });
    return current.tier;
  };
  const billingOf = async (idpId: string) => presentBilling(sql, ctx?.payments, idpId, await currentTier(idpId));
  /** Turns a provider that is away, wherever it was noticed, into the answer that says so. */
  const orAway = async <Value>(work: Promise<Value>): Promise<Value> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof PaymentsAway) throw away();
      throw error;
    }
  };
  const changed = async (request: FastifyRequest, work: (ctx: BillingContext, idpId: string) => Promise<Change>) => {
    const { idpId } = guards.memberOf(request);
    const change = await orAway(work(selling(request), idpId));
    if (!change.ok) throw refusalOf(change);
    return billingOf(idpId);
  };
  /** Where the browser is: beside a loopback address it keeps its own spelling, with which its session goes along. */
  const originOf = ({ headers: { origin } }: FastifyRequest): string =>
    origin !== undefined && origins.has(origin) ? origin : new URL(baseUrl).origin;

  route(app, routes.listPlans, { guard: guards.member }, async (request, reply) => {
    // One after the other: where the database is away, the tier is what says so.
    const current = await currentTier(guards.memberOf(request).idpId);
    reply.header('cache-control', 'private, no-cache');
    return { current, plans: await selectPlans(sql) };
  });

  await app.register(async (scope) => {
    guardRoutes(scope, {
      reads: guards.member,
      writes: guards.editor({ refuses: ['demo-account', 'demo-tour', 'sample-user'] }),
    });
    scope.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'));

    route(scope, routes.getBilling, (request) => billingOf(guards.memberOf(request).idpId));

    route(scope, routes.startCheckout, async (request, reply) => {
      const { idpId } = guards.memberOf(request);
      const { tier, entry = null } = request.body;
      const started = await orAway(startCheckout(selling(request), { idpId, tier, entry, origin: originOf(request) }));
      if (!started.ok) throw refusalOf(started);
      reply.code(started.isNew ? 201 : 200);
      return { checkout_id: started.checkoutId, url: started.url };
    });

    route(scope, routes.previewPlanChange, async (request) => {
      const preview = await orAway(previewChange(selling(request), guards.memberOf(request).idpId, request.body.tier));
      if (!preview.ok) throw refusalOf(preview);
      const { dueNowMinor, currency, effectiveAt } = preview;
      return { due_now_minor: dueNowMinor, currency, effective_at: effectiveAt.toISOString() };
    });

    route(scope, routes.changePlan, (request) => {
      const { tier: to, entry = null } = request.body;
      return changed(request, (context, idpId) => changePlan(context, idpId, { to, entry }));
    });

    route(scope, routes.cancelPlan, (request) => changed(request, (context, idpId) => setCancel(context, idpId, true)));

    route(scope, routes.resumePlan, (request) =>
      changed(request, (context, idpId) => setCancel(context, idpId, false)),
    );

    route(scope, routes.openPaymentPortal, async (request, reply) => {
      const { idpId } = guards.memberOf(request);
      const { payments } = selling(request);
      const customer = await selectCustomer(sql, idpId);
      if (!customer?.customer_id) throw notSubscribed();
      const returnUrl = `${originOf(request)}/settings/billing?from=portal`;
      const portal = await payments.createPortal(customer.customer_id, returnUrl);
      if (!portal.ok) throw away();
      reply.code(201);
      return { url: portal.value };
    });

    route(scope, routes.syncBilling, async (request) => {
      const { idpId } = guards.memberOf(request);
      const { checkout_id: id } = request.body;
      const returned = await orAway(returnFromCheckout(selling(request), idpId, id));
      if (!returned) throw new Failure('NOT_FOUND', { message: 'You have no such checkout.' });
      const { checkout } = returned;
      return {
        ...(await billingOf(idpId)),
        checkout: checkout && { id: checkout.id, status: checkout.status, tier: checkout.tier },
      };
    });
  });
}

function refusalOf(refused: (Change | StartedCheckout) & { ok: false }): Failure {
  switch (refused.reason) {
    case 'unavailable':
      return away();
    case 'not_for_sale':
      return new Failure('INVALID_REQUEST', { issues: [{ path: 'tier', message: 'this plan is not for sale' }] });
    case 'already_subscribed':
      return new Failure('ALREADY_SUBSCRIBED');
    case 'not_subscribed':
      return notSubscribed();
    case 'same_plan':
      return new Failure('CONFLICT', { message: 'This is the plan already.' });
    case 'payment_required':
      return new Failure('PAYMENT_REQUIRED', { body: { url: refused.url } });
  }
}
