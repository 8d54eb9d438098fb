import helmet from '@fastify/helmet';
import type { HttpApp } from './app-type.ts';

/** A year, as helmet writes it below. */
export const STRICT_TRANSPORT = 'max-age=31536000; includeSubDomains';

/**
 * One strict policy for every answer: nothing from elsewhere, nothing inline. `connectTo` names the one other
 * origin that pages may call: the identity provider's Frontend API, where that is not ours.
 */
export async function addSecurityHeaders(app: HttpApp, options: { connectTo?: string | undefined; https: boolean }): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...(options.connectTo ? [options.connectTo] : [])],
        manifestSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: options.https ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    xFrameOptions: { action: 'deny' },
  });
  app.addHook('onSend', async (_request, reply) => {
    reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
  });
}
