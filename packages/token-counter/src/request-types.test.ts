import { test } from 'vitest';
import assert from 'node:assert/strict';
import type { MessageCountTokensParams } from '@anthropic-ai/sdk/resources/messages/messages';
import type { MessageCountTokensParams as BetaCountParams } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type { CountTokensRequest } from './request-types.ts';

// Compile-time checks: a change of either side that breaks assignability fails `tsc`.
const fromStable = (params: MessageCountTokensParams): CountTokensRequest => params;
const fromBeta = (params: BetaCountParams): CountTokensRequest => params;

test('the official SDK count parameters are assignable to CountTokensRequest', () => {
  const params: MessageCountTokensParams = { model: 'claude-opus-5', messages: [{ role: 'user', content: 'Hi' }] };
  assert.equal(fromStable(params), params);
  assert.equal(fromBeta(params as BetaCountParams), params);
});
