import { createHash } from 'node:crypto';
import helmet from '@fastify/helmet';
import type { HttpApp } from './app-type.ts';

/** Headers of a JSON response that is sent without Fastify's hooks. */
export const JSON_HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

const HSTS_MAX_AGE_SECONDS = 31_536_000;

/** The value of helmet's header, for responses that are sent without Fastify's hooks. */
export const STRICT_TRANSPORT_SECURITY = `max-age=${HSTS_MAX_AGE_SECONDS}; includeSubDomains`;

/**
 * Adds a strict content security policy and the other security headers to every response. Inline code requires
 * `allowInlineCode`. `connectTo` is the Frontend API of a hosted identity provider, the only other origin of requests.
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
        workerSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: options.https ? { maxAge: HSTS_MAX_AGE_SECONDS, includeSubDomains: true } : false,
    xFrameOptions: { action: 'deny' },
  });
  app.addHook('onSend', async (_request, reply) => {
    reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
  });
}

/** Returns the content security policy with the hashes of the document's inline scripts and styles. */
export function allowInlineCode(policy: string, document: string): string {
  let extendedPolicy = policy;
  for (const tag of ['script', 'style'] as const) {
    const source = `${tag}-src 'self'`;
    const sources = [source, ...computeInlineHashes(document, tag)].join(' ');
    extendedPolicy = extendedPolicy.replace(source, () => sources);
  }
  return extendedPolicy;
}

/** Returns the CSP hashes of the inline scripts or styles of a document: `'sha256-…'`. */
export function computeInlineHashes(document: string, tag: 'script' | 'style'): string[] {
  const texts = [...document.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))].map(([, text]) => text!);
  return texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}
