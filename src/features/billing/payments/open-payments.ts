import type { Logger } from 'pino';
import type { ServiceSql } from '../../../platform/database/roles.ts';
import { SANDBOX_PAY_PATH } from '../../../embedded/payments/pay-context.ts';
import { createSandboxPayments, type SandboxPayments } from '../../../embedded/payments/sandbox-payments.ts';
import type { Payments } from './payments.ts';
import { createStripePayments, stripeScheme } from './stripe-payments.ts';

export interface PaymentSettings {
  secretKey?: string | undefined;
  webhookSecret?: string | undefined;
  /** Whether the stand-in takes the provider's place where there are no keys. */
  sandbox: boolean;
  /** The stand-in's clock, for tests. */
  now?: (() => Date) | undefined;
  /** What stands between the service and the stand-in, for tests: it may lose what is asked or answered. */
  between?: ((fetch: typeof globalThis.fetch) => typeof globalThis.fetch) | undefined;
}

/** The payment provider that the settings allow; none where there are neither keys nor a stand-in. */
export function openPayments(
  { secretKey, webhookSecret, sandbox, now, between = (fetch) => fetch }: PaymentSettings,
  { sql, logger, baseUrl }: { sql: ServiceSql; logger: Logger; baseUrl: string },
): { payments?: Payments; standIn?: SandboxPayments } {
  if (secretKey && webhookSecret) {
    const settings = { secretKey: async () => secretKey, livemode: /^[rs]k_live_/.test(secretKey) };
    return { payments: createStripePayments({ ...settings, webhookScheme: stripeScheme(webhookSecret) }) };
  }
  if (!sandbox) return {};
  const standIn = createSandboxPayments({ sql, logger, now });
  const payments = createStripePayments({
    ...{ secretKey: standIn.secretKey, livemode: false },
    standIn: { url: `${new URL(baseUrl).origin}${SANDBOX_PAY_PATH}`, fetch: between(standIn.fetch) },
    webhookScheme: async (delivery, time) => stripeScheme(await standIn.webhookSecret())(delivery, time),
  });
  return { payments, standIn };
}
