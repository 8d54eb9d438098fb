import { readFileSync } from 'node:fs';

interface Named {
  $ref?: string;
  headers?: Readonly<Record<string, object>>;
  content?: Readonly<Record<string, object>>;
}

interface Operation {
  operationId: string;
  parameters?: readonly { $ref?: string; name?: string; in?: string }[];
  security: readonly object[];
  responses: Readonly<Record<string, Named>>;
}

/** The OpenAPI document. */
export const apiDocument = JSON.parse(
  readFileSync(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8'),
) as {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
/** Routes of the document by a pattern of their paths, with the parameters as its groups. */
export const apiRoutes = Object.entries(apiDocument.paths).map(([path, operations]) => ({
  pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  operations,
}));
