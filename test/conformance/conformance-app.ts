import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpApp } from '../../src/platform/http/app-type.ts';
import { startWebhookDelivery } from '../../src/embedded/identity/deliver-webhooks.ts';
import { type IdentityApp, LOW_COST, SECRET_KEY, startIdentityApp, WEBHOOK_SECRET } from '../support/identity.ts';

interface Delivered {
  headers: Record<string, string>;
  body: string;
}

export interface ConformanceApp extends IdentityApp {
  secretKey: string;
  webhookSecret: string;
  apiUrl: string;
  /** Waits for the webhook of this type about this id. */
  waitForWebhook(type: string, id: string): Promise<Delivered>;
}

/** Opens the embedded provider over HTTP, with a receiver for its webhooks. `defer` registers cleanup for the end. */
export async function openConformanceApp(
  defer: (work: () => Promise<void>) => void,
  addRoutes: (app: HttpApp) => void = () => {},
): Promise<ConformanceApp> {
  const after = (work: unknown): void =>
    defer(async () => {
      await (work as () => Promise<void>)();
    });
  const embedded = {
    limits: { signInPerPerson: 1_000, signInPerAddress: 10_000, signUpPerAddress: 10_000 },
    passwordCost: LOW_COST,
    // A library may ask for a mail. The steps take codes from the operator instead.
    mailer: { send: async () => {} },
  };
  const app = await startIdentityApp({ onTestFinished: after } as never, { embedded }, addRoutes);
  const delivered: Delivered[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    delivered.push({
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      body,
    });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  defer(async () => {
    server.close();
  });
  const receiverUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const delivery = startWebhookDelivery({
    sql: app.database.service,
    secret: WEBHOOK_SECRET,
    receiverUrl,
    warn: () => {},
    pollMs: 50,
  });
  defer(() => delivery.stop());

  return {
    ...app,
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    apiUrl: `${app.url}/_idp`,
    async waitForWebhook(type, id) {
      for (let i = 0; i < 200; i += 1) {
        const found = delivered.find(({ body }) => {
          const event = JSON.parse(body) as { type: string; data: { id: string } };
          return event.type === type && event.data.id === id;
        });
        if (found) return found;
        await sleep(25);
      }
      throw new Error(`The webhook ${type} of ${id} never came.`);
    },
  };
}
