import { createHash } from 'node:crypto';
import helmet from '@fastify/helmet';
import type { HttpApp } from './app-type.ts';

/** Headers of a JSON response that bypasses the hooks of the application. */
export const JSON_HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** One year, equal to the value of helmet below. */
export const STRICT_TRANSPORT_SECURITY = 'max-age=31536000; includeSubDomains';

/**
 * Adds one strict policy to every response: no other origin and no inline code (except through `allowInline`).
 * `connectTo` is the only other origin that pages may call: the Frontend API of a hosted identity provider.
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

/** Returns the policy for a document of ours, which allows each of its inline scripts and styles by hash. */
export function allowInline(policy: string, document: string): string {
  return (['script', 'style'] as const).reduce(
    (extended, tag) =>
      extended.replace(`${tag}-src 'self'`, (source) => [source, ...inlineHashes(document, tag)].join(' ')),
    policy,
  );
}

/** Returns the CSP hashes of the inline scripts or styles of a document: `'sha256-…'`. */
export function inlineHashes(document: string, tag: 'script' | 'style'): string[] {
  const texts = [...document.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))].map(([, text]) => text!);
  return texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}
