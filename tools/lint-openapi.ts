/** Checks docs/reference/openapi.json with the strictest rules of Redocly's linter, without network access. */
import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { parseOptions } from './run/parse-options.ts';

parseOptions({ usage: 'npx node tools/lint-openapi.ts checks docs/reference/openapi.json.' });
const name = 'docs/reference/openapi.json';
// Health checks and public settings have no response with a 4xx status.
const config = await createConfig({ extends: ['recommended-strict'], rules: { 'operation-4xx-response': 'off' } });
const source = readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const problems = await lintFromString({ source, absoluteRef: name, config });
for (const { severity, ruleId, message, location } of problems)
  console.error(`${severity} ${ruleId}: ${message} ${location[0]?.pointer ?? ''}`);
if (problems.length > 0) process.exitCode = 1;
