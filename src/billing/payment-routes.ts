import { Failure } from '../errors.ts';
import type { HttpApp } from '../http/app-type.ts';
import { guardRoutes } from '../http/guard.ts';
import { route } from '../http/route.ts';
import type { Guards } from '../identity/guards.ts';
import { allowedOrigins } from '../identity/origins.ts';
import { type Change, changePlan, previewChange, setCancel } from './change-plan.ts';
import { selectCustomer } from './checkout-queries.ts';
import { type BillingContext, PaymentsAway } from './context.ts';
import { routes } from './contract.ts';
import type { TierLookup } from './look-up-tier.ts';
import { presentBilling } from './present-billing.ts';
import { returnFromCheckout } from './return-from-checkout.ts';
import { startCheckout } from './start-checkout.ts';
import type { ServiceSql } from '../database/roles.ts';

interface PaymentRouteDependencies {
  sql: ServiceSql;
  /** None where nothing is sold. */
  ctx: BillingContext | undefined;
  guards: Guards;
  baseUrl: string;
  tierOf: (idpId: string) => Promise<TierLookup>;
}

const AWAY_SECONDS = 30;
const away = () => new Failure('PAYMENTS_UNAVAILABLE', { retryAfter: AWAY_SECONDS });

/** `/api/billing`: what a member pays, and every change of it. */
export async function addPaymentRoutes(app: HttpApp, deps: PaymentRouteDependencies): Promise<void> {
  const { sql, ctx, guards, baseUrl, tierOf } = deps;
  const origins = allowedOrigins(baseUrl);
  const selling = (): BillingContext => {
    if (ctx) return ctx;
    throw new Failure('NOT_CONFIGURED', { message: 'Nothing is sold on this deployment.', retryAfter: 3_600 });
  };
  const billingOf = async (idpId: string) => {
    const current = await tierOf(idpId);
    if (!current.ok) throw new Failure('TIER_UNAVAILABLE', { retryAfter: 5 });
    return presentBilling(sql, ctx?.payments, idpId, current.tier);
  };
  /** Turns a provider that is away, wherever it was noticed, into the answer that says so. */
  const orAway = async <Value>(work: Promise<Value>): Promise<Value> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof PaymentsAway) throw away();
      throw error;
    }
  };
  const changed = async (idpId: string, work: Promise<Change>) => {
    refuse(await orAway(work));
    return billingOf(idpId);
  };

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
      const { origin: sent } = request.headers;
      // Beside a loopback address the browser keeps its own spelling, with which its session goes along.
      const origin = sent !== undefined && origins.has(sent) ? sent : new URL(baseUrl).origin;
      const started = await orAway(startCheckout(selling(), { idpId, tier, entry, origin }));
      if (started.ok) {
        reply.code(started.isNew ? 201 : 200);
        return { checkout_id: started.checkoutId, url: started.url };
      }
      if (started.reason === 'already_subscribed') throw new Failure('ALREADY_SUBSCRIBED');
      throw started.reason === 'unavailable' ? away() : notForSale();
    });

    route(scope, routes.previewPlanChange, async (request) => {
      const preview = await orAway(previewChange(selling(), guards.memberOf(request).idpId, request.body.tier));
      if (!preview.ok) throw refusalOf(preview.reason);
      const { dueNowMinor, currency, effectiveAt } = preview;
      return { due_now_minor: dueNowMinor, currency, effective_at: effectiveAt.toISOString() };
    });

    route(scope, routes.changePlan, async (request) => {
      const { idpId } = guards.memberOf(request);
      const { tier: to, entry = null } = request.body;
      return changed(idpId, changePlan(selling(), idpId, { to, entry }));
    });

    route(scope, routes.cancelPlan, async (request) => {
      const { idpId } = guards.memberOf(request);
      return changed(idpId, setCancel(selling(), idpId, true));
    });

    route(scope, routes.resumePlan, async (request) => {
      const { idpId } = guards.memberOf(request);
      return changed(idpId, setCancel(selling(), idpId, false));
    });

    route(scope, routes.openPaymentPortal, async (request, reply) => {
      const { idpId } = guards.memberOf(request);
      const { payments } = selling();
      const customer = await selectCustomer(sql, idpId);
      if (!customer?.customer_id) throw refusalOf('not_subscribed');
      const { origin: sent } = request.headers;
      const origin = sent !== undefined && origins.has(sent) ? sent : new URL(baseUrl).origin;
      const portal = await payments.createPortal(customer.customer_id, `${origin}/settings/billing?from=portal`);
      if (!portal.ok) throw away();
      reply.code(201);
      return { url: portal.value };
    });

    route(scope, routes.syncBilling, async (request) => {
      const { idpId } = guards.memberOf(request);
      const { checkout_id: id } = request.body;
      const returned = await orAway(returnFromCheckout(selling(), idpId, id));
      if (!returned) throw new Failure('NOT_FOUND', { message: 'You have no such checkout.' });
      const { checkout } = returned;
      return {
        ...(await billingOf(idpId)),
        checkout: checkout && { id: checkout.id, status: checkout.status, tier: checkout.tier },
      };
    });
  });
}

const notForSale = () =>
  new Failure('INVALID_REQUEST', { issues: [{ path: 'tier', message: 'this plan is not for sale' }] });

function refusalOf(reason: (Change & { ok: false })['reason']): Failure {
  switch (reason) {
    case 'unavailable':
      return away();
    case 'not_for_sale':
      return notForSale();
    case 'not_subscribed':
      return new Failure('CONFLICT', { message: 'There is no paid plan to change.' });
    case 'same_plan':
      return new Failure('CONFLICT', { message: 'This is the plan already.' });
    case 'payment_required':
      return new Failure('PAYMENT_REQUIRED');
  }
}

function refuse(change: Change): void {
  if (change.ok) return;
  if (change.reason === 'payment_required') throw new Failure('PAYMENT_REQUIRED', { body: { url: change.url } });
  throw refusalOf(change.reason);
}
