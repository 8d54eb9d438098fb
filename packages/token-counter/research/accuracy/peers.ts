/** Other counters from bench/node_modules, measured on the recorded rows as their documentation describes. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { CountTokensRequest } from '../../src/index.ts';
import { createSdkCounter } from './ai-tokenizer.ts';
import { listTexts } from './request-texts.ts';

interface Peer {
  name: string;
  count: (request: CountTokensRequest) => number;
}

const benchFolder = join(import.meta.dirname, '../../../../bench');

/** Returns the installed peers and the names of the missing ones. */
export function loadPeers(): { peers: Peer[]; missing: string[] } {
  const peers: Peer[] = [
    {
      name: 'characters / 4',
      count: (request) => Math.ceil(listTexts(request).reduce((sum, text) => sum + text.length, 0) / 4),
    },
  ];
  const missing: string[] = [];
  const loaders: [string, () => Peer['count']][] = [
    ['ai-tokenizer', loadAiTokenizer],
    ['@anthropic-ai/tokenizer', loadAnthropicTokenizer],
    ['gpt-tokenizer', loadGptTokenizer],
  ];
  for (const [name, loadCount] of loaders) {
    if (existsSync(join(benchFolder, 'node_modules', name)))
      peers.push({ name: name === 'gpt-tokenizer' ? 'o200k (gpt-tokenizer)' : name, count: loadCount() });
    else missing.push(name);
  }
  return { peers, missing };
}

const requireFromBench = createRequire(join(benchFolder, 'package.json'));

function loadModule<T>(specifier: string): T {
  return requireFromBench(specifier) as T;
}

function loadAiTokenizer(): Peer['count'] {
  return createSdkCounter(
    loadModule('ai-tokenizer'),
    loadModule('ai-tokenizer/encoding/claude'),
    loadModule('ai-tokenizer/sdk'),
  );
}

interface ClaudeRanks {
  bpe_ranks: string;
  special_tokens: Record<string, number>;
  pat_str: string;
}

interface TiktokenLite {
  Tiktoken: new (
    ranks: string,
    special: Record<string, number>,
    pattern: string,
  ) => { encode(text: string, allowed: 'all'): { length: number } };
}

/** Creates one tokenizer for all rows, because the package's `countTokens` creates a new one per call. */
function loadAnthropicTokenizer(): Peer['count'] {
  const folder = join(benchFolder, 'node_modules/@anthropic-ai/tokenizer');
  const ranks = JSON.parse(readFileSync(join(folder, 'claude.json'), 'utf8')) as ClaudeRanks;
  const { Tiktoken } = createRequire(join(folder, 'package.json'))('tiktoken/lite') as TiktokenLite;
  const tokenizer = new Tiktoken(ranks.bpe_ranks, ranks.special_tokens, ranks.pat_str);
  return (request) =>
    listTexts(request).reduce((sum, text) => sum + tokenizer.encode(text.normalize('NFKC'), 'all').length, 0);
}

function loadGptTokenizer(): Peer['count'] {
  const { countTokens } = loadModule<{ countTokens: (text: string, options: object) => number }>(
    'gpt-tokenizer/encoding/o200k_base',
  );
  const options = { disallowedSpecial: new Set<string>() };
  return (request) => listTexts(request).reduce((sum, text) => sum + countTokens(text, options), 0);
}
