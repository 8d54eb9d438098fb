import { AppError } from '../../errors.ts';
import type { HttpApp } from './app-type.ts';
import { hasBody } from './limit-unread-body.ts';

/** Value of `accept-encoding` in a 415. Compressed bodies are not supported, since no client of ours sends any. */
export const ACCEPTED_ENCODING = 'identity';

/** Returns whether a request's `content-encoding` leaves the body uncompressed. */
export function isUncompressed(encoding: string | undefined): boolean {
  return encoding === undefined || encoding === '' || encoding.toLowerCase() === ACCEPTED_ENCODING;
}

/** Rejects a compressed body before reading it: 415 with `accept-encoding` (RFC 9110, section 15.5.16). */
export function rejectCompressedBodies(app: HttpApp): void {
  app.addHook('preParsing', async ({ headers }) => {
    if (isUncompressed(headers['content-encoding']) || !hasBody(headers)) return;
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', {
      message: 'Compressed bodies are not accepted; send the body without content-encoding.',
      acceptedEncoding: ACCEPTED_ENCODING,
    });
  });
}
