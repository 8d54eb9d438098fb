import type { Route, Tag } from '../contract.ts';
import type { Components } from './components.ts';
import { toOperation } from './operation.ts';
import { headers, getHeaderReferences, parameters, securitySchemes } from './shared-components.ts';

/** The part of an OpenAPI document that the docs page reads. */
export interface OpenApiDocument {
  info: { title: string; version: string; description: string };
  tags: readonly Tag[];
  paths: Record<string, Record<string, object>>;
  components: Components & Record<'securitySchemes' | 'headers' | 'parameters', object>;
}

/**
 * Describes the routes of contracts in OpenAPI 3.1. Throws if two routes share an operation id, or two schemas a name.
 */
export function describeRoutes(routes: readonly Route[], version: string): OpenApiDocument {
  const components: Components = {
    schemas: {},
    responses: {
      NotModified: {
        description: 'The caller has the current version.',
        headers: getHeaderReferences('RequestId', 'ETag'),
      },
    },
  };
  const paths: Record<string, Record<string, object>> = {};
  const ids = new Set<string>();
  for (const route of routes) {
    if (ids.has(route.id)) throw new Error(`Two routes have the operation id ${route.id}.`);
    ids.add(route.id);
    const operations = paths[route.path] ?? {};
    operations[route.method.toLowerCase()] = toOperation(components, route);
    paths[route.path] = operations;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tally',
      version,
      description:
        'Counts the input tokens of Messages requests, and serves a personal-finance dashboard with a watchlist.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The deployment that serves this document.' }],
    tags: [...new Map(routes.map(({ tag }) => [tag.name, tag])).values()],
    'x-tagGroups': groupTags(routes),
    paths,
    components: {
      schemas: sortByKey(components.schemas),
      responses: sortByKey(components.responses),
      headers,
      parameters,
      securitySchemes,
    },
  } as OpenApiDocument;
}

/** Groups of tags in the order of the reference, with the callers of their routes. */
const TAG_GROUPS: readonly { name: string; callers: readonly NonNullable<Route['access']>[] }[] = [
  { name: 'Token counting', callers: ['api-key'] },
  { name: 'Members', callers: ['member', 'optional-member'] },
  { name: 'Operators', callers: ['operator', 'operator-session'] },
  { name: 'Open to all', callers: ['public'] },
];

/** Groups the tags by their callers. A tag with routes for several joins the first group. */
function groupTags(routes: readonly Route[]): { name: string; tags: string[] }[] {
  const groups = Map.groupBy(
    Map.groupBy(routes, ({ tag }) => tag.name),
    ([, ofTag]) => TAG_GROUPS.find(({ callers }) => ofTag.some(({ access = 'member' }) => callers.includes(access))),
  );
  return TAG_GROUPS.flatMap((group) => {
    const tags = groups.get(group)?.map(([tag]) => tag);
    return tags ? [{ name: group.name, tags }] : [];
  });
}

const sortByKey = <Part>(entries: Record<string, Part>): Record<string, Part> =>
  Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
