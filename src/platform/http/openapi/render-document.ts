import { readFileSync } from 'node:fs';
import type { JsonSchema } from './components.ts';
import type { OpenApiDocument } from './describe-routes.ts';
import { escape, renderInner, renderType } from './render-schema.ts';

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
  const operations = Object.entries(document.paths).flatMap(([path, ofPath]) =>
    Object.entries(ofPath).map(([method, operation]) => ({ method, path, operation: operation as Operation })),
  );
  const ofTag = tags.map((tag) => ({ tag, own: operations.filter(({ operation }) => operation.tags[0] === tag.name) }));
  const style = readFileSync(new URL('./document.css', import.meta.url), 'utf8');
  const contents = ofTag.map(
    ({ tag, own }) =>
      `<li><a href="#tag-${idOf(tag.name)}">${escape(tag.name)}</a><ul>${own
        .map(({ operation }) => `<li><a href="#${operation.operationId}">${escape(operation.summary)}</a></li>`)
        .join('')}</ul></li>`,
  );
  const sections = ofTag.map(({ tag, own }) => {
    const heading = `<h2 id="tag-${idOf(tag.name)}">${escape(tag.name)}</h2><p>${escape(tag.description)}</p>`;
    const articles = own.map(({ method, path, operation }) => renderOperation(document, method, path, operation));
    return `<section aria-labelledby="tag-${idOf(tag.name)}">${heading}${articles.join('')}</section>`;
  });
  const schemas = Object.entries(components.schemas).map(([name, schema]) => {
    const about = `${renderDescription(schema)}<p>${renderType(schema)}</p>${renderInner(schema)}`;
    return `<section><h3 id="schema-${name}">${name}</h3>${about}</section>`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(info.title)} API</title><style>${style}</style></head><body>
<a class="skip" href="#content">Skip to the routes</a>
<header><h1>${escape(info.title)} API ${escape(info.version)}</h1><p>${escape(info.description)}</p>
<p><a href="/openapi.json">The document as OpenAPI 3.1</a></p></header>
<nav aria-label="Routes"><ul>${contents.join('')}<li><a href="#schemas">Schemas</a></li></ul></nav>
<main id="content" tabindex="-1">${sections.join('')}
<section aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>${schemas.join('')}</section></main></body></html>`;
}

const idOf = (name: string): string => name.toLowerCase().replaceAll(/\W+/g, '-');

const renderDescription = ({ description }: { description?: unknown }): string =>
  typeof description === 'string' ? `<p>${escape(description)}</p>` : '';

function renderOperation(document: OpenApiDocument, method: string, path: string, operation: Operation): string {
  const { operationId, summary, requestBody } = operation;
  const security = operation.security.flatMap((way) => Object.keys(way)).join(' or ');
  const parameters = (operation.parameters ?? []).map((parameter) => find(document, parameter));
  const rows = parameters.map((parameter) => {
    const place = `${parameter.in}${parameter.required ? ', required' : ''}`;
    const about = `${renderType(parameter.schema)}${renderDescription(parameter)}`;
    const name = `<th scope="row"><code>${escape(parameter.name)}</code></th>`;
    return `<tr>${name}<td>${place}</td><td>${about}</td></tr>`;
  });
  const answers = Object.entries(operation.responses).map(([status, response]) => {
    const { description, content } = find(document, response);
    const about = `${escape(description)}${content ? renderContent(content) : ''}`;
    return `<tr><th scope="row">${status}</th><td>${about}</td></tr>`;
  });
  const access = security === '' ? 'Open to anybody.' : `Needs <code>${security}</code>.`;
  return `<article aria-labelledby="${operationId}"><h3 id="${operationId}">${escape(summary)}</h3>
<p class="address"><code><b>${method.toUpperCase()}</b> ${escape(path)}</code></p>
<p>${access} Operation <code>${operationId}</code>.</p>${renderDescription(operation)}
${rows.length > 0 ? `<h4>Parameters</h4><table>${rows.join('')}</table>` : ''}
${requestBody ? `<h4>Request</h4>${renderContent(requestBody.content)}` : ''}
<h4>Responses</h4><table>${answers.join('')}</table></article>`;
}

function renderContent(content: Content): string {
  return Object.entries(content)
    .map(([type, { schema, example }]) => {
      const shown = example === undefined ? '' : renderExample(example);
      const name = type === 'application/json' ? renderType(schema) : `<code>${type}</code>`;
      return `<p>${name}</p>${renderInner(schema)}${shown}`;
    })
    .join('');
}

function renderExample(example: unknown): string {
  const code = `<code>${escape(JSON.stringify(example, null, 2))}</code>`;
  return `<details><summary>Example</summary><pre tabindex="0">${code}</pre></details>`;
}

/** What stands behind a reference, or the part itself. */
function find<Part extends object>(document: OpenApiDocument, part: Part | { $ref: string }): Part {
  if (!('$ref' in part)) return part;
  const [, , kind, name] = part.$ref.split('/') as [string, string, keyof OpenApiDocument['components'], string];
  return (document.components[kind] as Record<string, Part>)[name]!;
}
