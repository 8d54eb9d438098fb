import { readFileSync } from 'node:fs';
import type { JsonSchema } from './components.ts';
import type { OpenApiDocument } from './describe-routes.ts';
import { escapeHtml, renderInner, renderType } from './render-schema.ts';

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

type Content = Record<string, { schema: JsonSchema; example?: unknown }>;

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security: Record<string, unknown>[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content } | { $ref: string }>;
}

const LOGO =
  '<svg class="logo" viewBox="0 0 32 32" fill="none" stroke-linecap="round" stroke-width="3" aria-hidden="true">' +
  '<path stroke="currentColor" d="M7 27v-8M13 27V15M19 27V10M25 27V5"/><path class="mark" d="M3 25 29 9"/></svg>';

/** The first request of a new user, without the address of the deployment. */
const FIRST_REQUEST = `curl "$TALLY_URL/v1/messages/count_tokens" \\
  -H "x-api-key: $TALLY_API_KEY" \\
  -H "content-type: application/json" \\
  -d '{
    "model": "claude-sonnet-5",
    "messages": [{ "role": "user", "content": "Hello" }]
  }'`;

const GETTING_STARTED = `<section class="start" aria-labelledby="getting-started"><h2 id="getting-started">Getting started</h2>
<ol>
<li>Sign in and create an API key under <a href="/settings/api-keys">Settings, API keys</a>. It is shown once.</li>
<li>Set <code>TALLY_URL</code> to the address of this server and <code>TALLY_API_KEY</code> to the key.</li>
<li>Count the tokens of a message:
<pre tabindex="0"><code>${escapeHtml(FIRST_REQUEST)}</code></pre>
The response is <code>{ "input_tokens": … }</code>.</li>
</ol>
<p>The official client libraries work too: set their base URL to this server.
Every error response has an HTTP status and a message that names the field.
All other operations need the session of a signed-in member or the token of an operator, as each one states.</p>
</section>`;

/** Returns an OpenAPI document as one HTML page, grouped by tag. The page has no script. */
export function renderDocument(document: OpenApiDocument): string {
  const { info, tags, components } = document;
  const operations = Object.entries(document.paths).flatMap(([path, pathItem]) =>
    Object.entries(pathItem).map(([method, operation]) => ({ method, path, operation: operation as Operation })),
  );
  const operationsByTag = tags.map((tag) => ({
    tag,
    tagOperations: operations.filter(({ operation }) => operation.tags[0] === tag.name),
  }));
  const style = readFileSync(new URL('./document.css', import.meta.url), 'utf8');
  const contents = operationsByTag.map(
    ({ tag, tagOperations }) =>
      `<li><a href="#tag-${toAnchorId(tag.name)}">${escapeHtml(tag.name)}</a><ul>${tagOperations
        .map(({ operation }) => `<li><a href="#${operation.operationId}">${escapeHtml(operation.summary)}</a></li>`)
        .join('')}</ul></li>`,
  );
  const sections = operationsByTag.map(({ tag, tagOperations }) => {
    const heading = `<h2 id="tag-${toAnchorId(tag.name)}">${escapeHtml(tag.name)}</h2><p>${escapeHtml(tag.description)}</p>`;
    const articles = tagOperations.map(({ method, path, operation }) =>
      renderOperation(document, method, path, operation),
    );
    return `<section aria-labelledby="tag-${toAnchorId(tag.name)}">${heading}${articles.join('')}</section>`;
  });
  const schemas = Object.entries(components.schemas).map(([name, schema]) => {
    const bodyHtml = `${renderDescription(schema)}<p>${renderType(schema)}</p>${renderInner(schema)}`;
    return `<details><summary><h3>${name}</h3></summary><div class="body" id="schema-${name}">${bodyHtml}</div></details>`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(info.title)} API</title><style>${style}</style></head><body>
<a class="skip" href="#content">Skip to content</a>
<header><h1>${LOGO}${escapeHtml(info.title)} API ${escapeHtml(info.version)}</h1><p>${escapeHtml(info.description)}</p>
<p><a href="/">Home</a> · <a href="/openapi.json">OpenAPI 3.1 document</a></p></header>
${GETTING_STARTED}
<nav aria-label="Contents"><ul><li><a href="#getting-started">Getting started</a></li>${contents.join('')}<li><a href="#schemas">Schemas</a></li></ul></nav>
<main id="content" tabindex="-1">${sections.join('')}
<section aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>${schemas.join('')}</section></main></body></html>`;
}

const toAnchorId = (name: string): string => name.toLowerCase().replaceAll(/\W+/g, '-');

const renderDescription = ({ description }: { description?: unknown }): string =>
  typeof description === 'string' ? `<p>${escapeHtml(description)}</p>` : '';

function renderOperation(document: OpenApiDocument, method: string, path: string, operation: Operation): string {
  const { operationId, summary, requestBody } = operation;
  const security = operation.security.flatMap((scheme) => Object.keys(scheme)).join(' or ');
  const parameters = (operation.parameters ?? []).map((parameter) => resolveReference(document, parameter));
  const rows = parameters.map((parameter) => {
    const location = `${parameter.in}${parameter.required ? ', required' : ''}`;
    const bodyHtml = `${renderType(parameter.schema)}${renderDescription(parameter)}`;
    const name = `<th scope="row"><code>${escapeHtml(parameter.name)}</code></th>`;
    return `<tr>${name}<td>${location}</td><td>${bodyHtml}</td></tr>`;
  });
  const responseRows = Object.entries(operation.responses).map(([status, response]) => {
    const { description, content } = resolveReference(document, response);
    const bodyHtml = `${escapeHtml(description)}${content ? renderContent(content) : ''}`;
    return `<tr><th scope="row">${status}</th><td>${bodyHtml}</td></tr>`;
  });
  const isOptional = operation.security.some((scheme) => Object.keys(scheme).length === 0);
  const access =
    security === ''
      ? 'No authentication.'
      : `Authentication${isOptional ? ', optional' : ''}: <code>${security}</code>.`;
  return `<article aria-labelledby="${operationId}"><h3 id="${operationId}">${escapeHtml(summary)}</h3>
<p class="address"><code><b>${method.toUpperCase()}</b> ${escapeHtml(path)}</code></p>
${renderDescription(operation)}<p class="quiet">${access}</p>
<details><summary>Parameters and responses</summary><div class="body"><p>Operation ID <code>${operationId}</code></p>
${rows.length > 0 ? `<h4>Parameters</h4><table>${rows.join('')}</table>` : ''}
${requestBody ? `<h4>Request</h4>${renderContent(requestBody.content)}` : ''}
<h4>Responses</h4><table>${responseRows.join('')}</table></div></details></article>`;
}

function renderContent(content: Content): string {
  return Object.entries(content)
    .map(([type, { schema, example }]) => {
      const exampleHtml = example === undefined ? '' : renderExample(example);
      const name = type === 'application/json' ? renderType(schema) : `<code>${type}</code>`;
      return `<p>${name}</p>${renderInner(schema)}${exampleHtml}`;
    })
    .join('');
}

function renderExample(example: unknown): string {
  const code = `<code>${escapeHtml(JSON.stringify(example, null, 2))}</code>`;
  return `<details><summary>Example</summary><pre tabindex="0">${code}</pre></details>`;
}

/** Returns the target of a reference, or the part itself. */
function resolveReference<Part extends object>(document: OpenApiDocument, part: Part | { $ref: string }): Part {
  if (!('$ref' in part)) return part;
  const [, , kind, name] = part.$ref.split('/') as [string, string, keyof OpenApiDocument['components'], string];
  return (document.components[kind] as Record<string, Part>)[name]!;
}
