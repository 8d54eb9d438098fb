import { AppError } from '../../errors.ts';
import type { HttpApp } from './app-type.ts';
import { hasBody } from './limit-unread-body.ts';

/** What `accept-encoding` of a 415 names: bodies are read as they are sent, since no client of ours compresses any. */
export const ACCEPTED_ENCODING = 'identity';

/** Whether a request's `content-encoding` leaves its body as it is. */
export function isUncompressed(encoding: string | undefined): boolean {
  return encoding === undefined || encoding === '' || encoding.toLowerCase() === ACCEPTED_ENCODING;
}

/** Refuses a compressed body before any of it is read: 415 with `accept-encoding` (RFC 9110, section 15.5.16). */
export function rejectCompressedBodies(app: HttpApp): void {
  app.addHook('preParsing', async ({ headers }) => {
    if (isUncompressed(headers['content-encoding']) || !hasBody(headers)) return;
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', {
      message: 'Compressed bodies are not accepted; send the body without content-encoding.',
      acceptedEncoding: ACCEPTED_ENCODING,
    });
  });
}
