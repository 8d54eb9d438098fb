/** A request as a JSON object, without the fields of message creation. */
export type RequestObject = Record<string, unknown>;

/** Fields that only the beta interface of the official clients has. */
const BETA_FIELDS = ['context_management', 'mcp_servers', 'output_format', 'speed'];

const isBeta = (request: RequestObject): boolean => BETA_FIELDS.some((name) => Object.hasOwn(request, name));

/** Returns a shell command that counts a request. The body is a quoted here-document, so nothing in it is expanded. */
export function writeCurl(request: RequestObject, baseUrl: string): string {
  return [
    `curl '${baseUrl}/v1/messages/count_tokens' \\`,
    `  -H "x-api-key: $TALLY_API_KEY" \\`,
    `  -H 'svc-version: 2023-06-01' \\`,
    `  -H 'content-type: application/json' \\`,
    `  --data-binary @- <<'JSON'`,
    JSON.stringify(request, null, 2),
    'JSON',
    '',
  ].join('\n');
}

/** Returns a TypeScript module that counts a request with the official client library. */
export function writeTypeScript(request: RequestObject, baseUrl: string): string {
  const messages = isBeta(request) ? 'client.beta.messages' : 'client.messages';
  return [
    `import Anthropic from '@anthropic-ai/sdk';`,
    '',
    `const client = new Anthropic({ baseURL: '${baseUrl}', apiKey: process.env.TALLY_API_KEY });`,
    '',
    `const { input_tokens } = await ${messages}.countTokens(${JSON.stringify(request, null, 2)});`,
    'console.log(input_tokens);',
    '',
  ].join('\n');
}

/** Returns a Python program that counts a request with the official client library. */
export function writePython(request: RequestObject, baseUrl: string): string {
  const messages = isBeta(request) ? 'client.beta.messages' : 'client.messages';
  const parameters = Object.entries(request).map(([name, value]) => `    ${name}=${formatPython(value, 1)},`);
  return [
    'import os',
    '',
    'from anthropic import Anthropic',
    '',
    `client = Anthropic(base_url="${baseUrl}", api_key=os.environ["TALLY_API_KEY"])`,
    '',
    `count = ${messages}.count_tokens(`,
    ...parameters,
    ')',
    'print(count.input_tokens)',
    '',
  ].join('\n');
}

/** Returns a JSON value as a Python literal. Escapes of JSON texts mean the same in Python. */
function formatPython(value: unknown, depth: number): string {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const indent = '    '.repeat(depth + 1);
  const end = '    '.repeat(depth);
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    const items = value.map((item) => `${indent}${formatPython(item, depth + 1)},\n`).join('');
    return `[\n${items}${end}]`;
  }
  const members = Object.entries(value)
    .map(([name, member]) => `${indent}${JSON.stringify(name)}: ${formatPython(member, depth + 1)},\n`)
    .join('');
  return members === '' ? '{}' : `{\n${members}${end}}`;
}
