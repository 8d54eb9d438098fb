import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { HttpApp } from './app-type.ts';

/** Smaller responses fit in one packet anyway. */
const MIN_BYTES = 1_024;

const COMPRESSORS = {
  br: (body: string | Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body: string | Buffer) => promisify(gzip)(body),
} as const;
const ENCODINGS = Object.keys(COMPRESSORS) as (keyof typeof COMPRESSORS)[];

const COMPRESSIBLE = /^(text\/|application\/(json|javascript|manifest\+json|problem\+json)|image\/svg\+xml)/;

/**
 * Compresses buffered responses as a whole. A stream would keep the state of its compressor, some megabytes, for as long
 * as a client reads slowly; a whole body keeps its own bytes.
 */
export function compressResponses(app: HttpApp): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    if (Buffer.byteLength(payload) < MIN_BYTES || reply.hasHeader('content-encoding')) return payload;
    if (!COMPRESSIBLE.test(String(reply.getHeader('content-type') ?? ''))) return payload;
    const encoding = negotiate(request.headers['accept-encoding'] ?? '', ENCODINGS);
    if (encoding === null) return payload;
    reply.header('content-encoding', encoding).removeHeader('content-length');
    return COMPRESSORS[encoding](payload);
  });
}
