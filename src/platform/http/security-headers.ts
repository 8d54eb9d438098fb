import { createHash } from 'node:crypto';
import helmet from '@fastify/helmet';
import type { HttpApp } from './app-type.ts';

/** What an answer in JSON has that no hook of the application sees. */
export const JSON_HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** A year, as helmet writes it below. */
export const STRICT_TRANSPORT_SECURITY = 'max-age=31536000; includeSubDomains';

/**
 * One strict policy for every answer: nothing from elsewhere, nothing inline (but see `allowInline`). `connectTo` is the
 * one other origin that pages may call: a hosted identity provider's Frontend API.
 */
export async function addSecurityHeaders(
  app: HttpApp,
  options: { connectTo?: string | undefined; https: boolean },
): Promise<void> {
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
    if (!reply.hasHeader('permissions-policy'))
      reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
  });
}

/** The policy for a document of ours, with each of its inline scripts and styles allowed by its hash. */
export function allowInline(policy: string, document: string): string {
  return (['script', 'style'] as const).reduce(
    (extended, tag) =>
      extended.replace(`${tag}-src 'self'`, (source) => [source, ...inlineHashes(document, tag)].join(' ')),
    policy,
  );
}

/** What a policy allows the inline scripts or styles of a document by: `'sha256-…'`. */
export function inlineHashes(document: string, tag: 'script' | 'style'): string[] {
  const texts = [...document.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))].map(([, text]) => text!);
  return texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}
