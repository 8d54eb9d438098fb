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

/** An OpenAPI document as one page of HTML, by tag, without any script. */
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
    return `<section><h3 id="schema-${name}">${name}</h3>${bodyHtml}</section>`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(info.title)} API</title><style>${style}</style></head><body>
<a class="skip" href="#content">Skip to the routes</a>
<header><h1>${escapeHtml(info.title)} API ${escapeHtml(info.version)}</h1><p>${escapeHtml(info.description)}</p>
<p><a href="/openapi.json">The document as OpenAPI 3.1</a></p></header>
<nav aria-label="Routes"><ul>${contents.join('')}<li><a href="#schemas">Schemas</a></li></ul></nav>
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
  const access = security === '' ? 'Open to anybody.' : `Needs <code>${security}</code>.`;
  return `<article aria-labelledby="${operationId}"><h3 id="${operationId}">${escapeHtml(summary)}</h3>
<p class="address"><code><b>${method.toUpperCase()}</b> ${escapeHtml(path)}</code></p>
<p>${access} Operation <code>${operationId}</code>.</p>${renderDescription(operation)}
${rows.length > 0 ? `<h4>Parameters</h4><table>${rows.join('')}</table>` : ''}
${requestBody ? `<h4>Request</h4>${renderContent(requestBody.content)}` : ''}
<h4>Responses</h4><table>${responseRows.join('')}</table></article>`;
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

/** What stands behind a reference, or the part itself. */
function resolveReference<Part extends object>(document: OpenApiDocument, part: Part | { $ref: string }): Part {
  if (!('$ref' in part)) return part;
  const [, , kind, name] = part.$ref.split('/') as [string, string, keyof OpenApiDocument['components'], string];
  return (document.components[kind] as Record<string, Part>)[name]!;
}
