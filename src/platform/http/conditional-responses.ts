import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { HttpApp } from './app-type.ts';

/**
 * Adds an ETag to every buffered response, and responds 304 if the caller has the current version (RFC 9110, section
 * 13.1.2). The tag is weak, because gzip, br and plain responses have different bytes, as `vary` states.
 */
export function addConditionalResponses(app: HttpApp): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isBuffered = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (isBuffered && !reply.hasHeader('etag')) reply.header('etag', `W/"${hash('sha1', payload, 'base64')}"`);
    const tags = request.headers['if-none-match'];
    const isReadMethod = request.method === 'GET' || request.method === 'HEAD';
    if (isReadMethod) varyByEncoding(reply);
    if (tags === undefined || !isReadMethod || reply.statusCode !== 200) return payload;
    if (!isBuffered) return payload;
    if (!matchesTag(tags, String(reply.getHeader('etag')))) return payload;
    reply.code(304);
    // The length would be that of the omitted response.
    return null;
  });
}

function varyByEncoding(reply: Pick<FastifyReply, 'getHeader' | 'header'>): void {
  const vary = String(reply.getHeader('vary') ?? '');
  if (!/accept-encoding|\*/i.test(vary))
    reply.header('vary', vary === '' ? 'accept-encoding' : `${vary}, accept-encoding`);
}

/** Returns whether `If-None-Match` contains the tag or `*`. Weak tags equal their strong ones. */
function matchesTag(tags: string, tag: string): boolean {
  if (tags.trim() === '*') return true;
  const strong = tag.replace(/^W\//, '');
  return tags.match(/"[^"]*"/g)?.includes(strong) === true;
}
