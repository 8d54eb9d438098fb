import type { HttpApp } from './app-type.ts';

/**
 * Accepts an empty body with `content-type: application/json` on routes that take none, since many clients send that
 * with DELETE; where a route takes a body, an empty one stays a refusal.
 */
export function readEmptyJson(app: HttpApp): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '' && request.routeOptions.schema?.body === undefined) return done(null, undefined);
    return parse(request, body, done);
  });
}
