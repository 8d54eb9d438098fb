import { test } from 'vitest';
import assert from 'node:assert/strict';
import type { MessageCountTokensParams } from '@anthropic-ai/sdk/resources/messages/messages';
import type { MessageCountTokensParams as BetaCountParams } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type { CountTokensRequest } from './request-types.ts';

// Compile-time checks: if a change breaks assignability, `tsc` fails.
const fromStable = (params: MessageCountTokensParams): CountTokensRequest => params;
const fromBeta = (params: BetaCountParams): CountTokensRequest => params;

test('accepts the official SDK count parameters as CountTokensRequest', () => {
  const params: MessageCountTokensParams = { model: 'claude-opus-5', messages: [{ role: 'user', content: 'Hi' }] };
  assert.equal(fromStable(params), params);
  assert.equal(fromBeta(params as BetaCountParams), params);
});
