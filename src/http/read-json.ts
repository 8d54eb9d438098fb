import type { HttpApp } from './app-type.ts';

/**
 * Lets a route that takes no body be called with `content-type: application/json` and nothing behind it, as many
 * clients do for each DELETE; where a body belongs, an empty one stays a refusal.
 */
export function readEmptyJson(app: HttpApp): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '' && request.routeOptions.schema?.body === undefined) return done(null, undefined);
    return parse(request, body, done);
  });
}
