/** Generates two clients from docs/reference/openapi.json into `.tmp/`, as API users would. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import openapiTypescript, { astToString } from 'openapi-typescript';

const document = new URL('../../docs/reference/openapi.json', import.meta.url);
const target = new URL('./.tmp/', import.meta.url);
mkdirSync(target, { recursive: true });
writeFileSync(new URL('paths.ts', target), astToString(await openapiTypescript(document)));
await createClient({
  input: fileURLToPath(document),
  output: { path: fileURLToPath(new URL('hey', target)), module: { extension: '.ts' } },
  logs: { level: 'silent' },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
});
