import type { JsonSchema } from './components.ts';

/** Escapes text for HTML and renders text between backticks as code. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`).replace(/`([^`]+)`/g, '<code>$1</code>');

const renderCode = (value: unknown): string => `<code>${escapeHtml(JSON.stringify(value))}</code>`;

/** Renders a schema in words, with links to named schemas: "array of Account", "number or null". */
export function renderType(schema: JsonSchema): string {
  const { $ref, const: constant, enum: values, type, items, prefixItems, format } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    return `<a href="#schema-${name}">${name}</a>`;
  }
  if (constant !== undefined) return renderCode(constant);
  if (Array.isArray(values)) return values.map(renderCode).join(' or ');
  const choices = schema['oneOf'] ?? schema['anyOf'];
  if (Array.isArray(choices)) return choices.map((choice) => renderType(choice as JsonSchema)).join(' or ');
  if (Array.isArray(prefixItems)) return `[${prefixItems.map((item) => renderType(item as JsonSchema)).join(', ')}]`;
  if (type === 'array') return `array of ${items ? renderType(items as JsonSchema) : 'anything'}`;
  if (type === 'object' && schema['properties'] === undefined) {
    const additionalProperties = schema['additionalProperties'];
    return typeof additionalProperties === 'object'
      ? `object of ${renderType(additionalProperties as JsonSchema)}`
      : 'object';
  }
  const names = type === undefined ? 'anything' : [type as string | string[]].flat().join(' or ');
  return `${names}${typeof format === 'string' ? ` (${format})` : ''}${renderBounds(schema)}`;
}

const BOUNDS = {
  minimum: 'at least',
  exclusiveMinimum: 'more than',
  maximum: 'at most',
  minLength: 'characters at least',
  maxLength: 'characters at most',
  minItems: 'entries at least',
  maxItems: 'entries at most',
  pattern: 'matches',
  default: 'else',
} as const;

function renderBounds(schema: JsonSchema): string {
  const bounds = Object.entries(BOUNDS).flatMap(([name, label]) =>
    schema[name] === undefined ? [] : [`${label} <code>${escapeHtml(String(schema[name] as string | number))}</code>`],
  );
  return bounds.length === 0 ? '' : `, ${bounds.join(', ')}`;
}

/**
 * Renders the properties of a schema as a list, with those of unnamed objects nested. Returns an empty text if there
 * are none.
 */
function renderProperties(schema: JsonSchema): string {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, JsonSchema>; required?: string[] };
  const rows = Object.entries(properties).map(([name, property]) => {
    const about = typeof property['description'] === 'string' ? `<p>${escapeHtml(property['description'])}</p>` : '';
    const optional = required.includes(name) ? '' : ', optional';
    const type = `${renderType(property)}${optional}`;
    return `<dt><code>${escapeHtml(name)}</code></dt><dd>${type}${about}${renderInner(property)}</dd>`;
  });
  return rows.length === 0 ? '' : `<dl>${rows.join('')}</dl>`;
}

/** Renders the properties of the unnamed objects inside a schema. */
export function renderInner(schema: JsonSchema): string {
  const { items, oneOf, anyOf } = schema as Record<'items' | 'oneOf' | 'anyOf', JsonSchema | JsonSchema[] | undefined>;
  const inner = [items, oneOf, anyOf].flat().filter((part) => part !== undefined);
  return renderProperties(schema) + inner.map((part) => renderInner(part)).join('');
}
