import type { ModelRow } from './model-row.ts';

/**
 * One row a model, newest first. Tool prompts: the provider's published table of 2026 (tool use overview page), whose
 * residual on recorded requests is 0 wherever `level` is `recorded`. A `documented` row has its tool prompt from that
 * table and the rest from its neighbours; an `assumed` row has no published figure and takes its nearest relative's.
 */
export const MODEL_ROWS: readonly ModelRow[] = [
  {
    id: 'claude-fable-5-2', displayName: 'Claude Fable 5.2', createdAt: '2026-11-01T00:00:00Z', aliases: [], status: 'active',
    text: 'v5-sonnet', generation: '5', toolPrompt: { auto: 286, forced: 406 }, imageTier: 'high', maxMedia: 600,
    evidence: { level: 'assumed', note: 'named by the official SDK only; Opus 5 tool prompt' },
  },
  {
    id: 'claude-mythos-5-2', displayName: 'Claude Mythos 5.2', createdAt: '2026-11-01T00:00:00Z', aliases: [], status: 'active',
    text: 'v5-sonnet', generation: '5', toolPrompt: { auto: 286, forced: 406 }, imageTier: 'high', maxMedia: 600,
    evidence: { level: 'assumed', note: 'named by the official SDK only; Opus 5 tool prompt' },
  },
  {
    id: 'claude-haiku-5-5', displayName: 'Claude Haiku 5.5', createdAt: '2026-10-07T00:00:00Z', aliases: [], status: 'active',
    text: 'v5-sonnet', generation: '5', toolPrompt: { auto: 354, forced: 474 }, imageTier: 'high', maxMedia: 600,
    evidence: { level: 'assumed', note: 'no published tool prompt; Sonnet 5 figures' },
  },
  {
    id: 'claude-sonnet-5-5', displayName: 'Claude Sonnet 5.5', createdAt: '2026-09-29T00:00:00Z', aliases: [], status: 'active',
    text: 'v5-sonnet', generation: '5', toolPrompt: { auto: 354, forced: 474 }, imageTier: 'high', maxMedia: 600,
    evidence: { level: 'assumed', note: 'no published tool prompt; Sonnet 5 figures' },
  },
  {
    id: 'claude-opus-5-5', displayName: 'Claude Opus 5.5', createdAt: '2026-09-24T00:00:00Z', aliases: [], status: 'active',
    text: 'v5', generation: '5', toolPrompt: { auto: 286, forced: 406 }, imageTier: 'high', maxMedia: 600,
    evidence: { level: 'documented', note: 'auto published; forced as Opus 5' },
  },
  {
    id: 'claude-fable-5-1', displayName: 'Claude Fable 5.1', createdAt: '2026-09-01T00:00:00Z', aliases: [], status: 'active',
    text: 'v5-sonnet', generation: '5', toolPrompt: { auto: 286, forced: 406 }, imageTier: 'high', maxMedia: 600,
    evidence: { level: 'assumed', note: 'documented to count like Fable 5 and Mythos 5 / 5.1; Opus 5 tool prompt' },
  },
  {
    id: 'claude-mythos-5-1', displayName: 'Claude Mythos 5.1', createdAt: '2026-09-01T00:00:00Z', aliases: [], status: 'active',
    text: 'v5-sonnet', generation: '5', toolPrompt: { auto: 286, forced: 406 }, imageTier: 'high', maxMedia: 600,
    evidence: { level: 'assumed', note: 'documented to count like Fable 5 / 5.1; Opus 5 tool prompt' },
  },
  {
    id: 'claude-opus-5', displayName: 'Claude Opus 5', createdAt: '2026-07-24T00:00:00Z', aliases: [], status: 'active',
    text: 'v5', generation: '5', toolPrompt: { auto: 286, forced: 406 }, imageTier: 'high', maxMedia: 600,
    evidence: { level: 'documented', note: 'text frame recorded (2,514 documents), tool prompt published' },
  },
  {
    id: 'claude-sonnet-5', displayName: 'Claude Sonnet 5', createdAt: '2026-06-30T00:00:00Z', aliases: [], status: 'active',
    text: 'v5-sonnet', generation: '5', toolPrompt: { auto: 354, forced: 474 }, imageTier: 'high', maxMedia: 600,
    evidence: { level: 'recorded', note: 'text 12 of 12, tools 5 of 5 recorded requests' },
  },
  {
    id: 'claude-fable-5', displayName: 'Claude Fable 5', createdAt: '2026-06-09T00:00:00Z', aliases: [], status: 'active',
    text: 'v5-sonnet', generation: '5', toolPrompt: { auto: 286, forced: 406 }, imageTier: 'high', maxMedia: 600,
    evidence: { level: 'assumed', note: 'tokenizer documented as shared with Mythos 5; Opus 5 tool prompt' },
  },
  {
    id: 'claude-mythos-5', displayName: 'Claude Mythos 5', createdAt: '2026-06-09T00:00:00Z', aliases: [], status: 'active',
    text: 'v5-sonnet', generation: '5', toolPrompt: { auto: 286, forced: 406 }, imageTier: 'high', maxMedia: 600,
    evidence: { level: 'assumed', note: 'tokenizer documented as shared with Fable 5; Opus 5 tool prompt' },
  },
  {
    id: 'claude-opus-4-8', displayName: 'Claude Opus 4.8', createdAt: '2026-05-28T00:00:00Z', aliases: [], status: 'active',
    text: 'v5', generation: '5', toolPrompt: { auto: 290, forced: 410 }, imageTier: 'high', maxMedia: 600,
    evidence: { level: 'documented', note: 'frame recorded on 3 requests, tool prompt published' },
  },
  {
    id: 'claude-opus-4-7', displayName: 'Claude Opus 4.7', createdAt: '2026-04-16T00:00:00Z', aliases: [], status: 'active',
    text: 'v4.7', generation: '4.7', toolPrompt: { auto: 675, forced: 804 }, imageTier: 'high', maxMedia: 600,
    evidence: { level: 'recorded', note: 'text 46 of 46, tools 11 requests' },
  },
  {
    id: 'claude-mythos-preview', displayName: 'Claude Mythos Preview', createdAt: '2026-04-07T00:00:00Z', aliases: [], status: 'active',
    text: 'v4.7', generation: '4.7', toolPrompt: { auto: 675, forced: 804 }, imageTier: 'high', maxMedia: 600,
    evidence: { level: 'assumed', note: 'documented as using the newer tokenizer; Opus 4.7 figures' },
  },
  {
    id: 'claude-sonnet-4-6', displayName: 'Claude Sonnet 4.6', createdAt: '2026-02-17T00:00:00Z', aliases: [], status: 'active',
    text: 'v3', generation: '4.6', toolPrompt: { auto: 497, forced: 589 }, imageTier: 'standard', maxMedia: 600,
    evidence: { level: 'recorded', note: 'over 400 recorded requests' },
  },
  {
    id: 'claude-opus-4-6', displayName: 'Claude Opus 4.6', createdAt: '2026-02-05T00:00:00Z', aliases: [], status: 'active',
    text: 'v3', generation: '4.6', toolPrompt: { auto: 497, forced: 589 }, imageTier: 'standard', maxMedia: 600,
    evidence: { level: 'recorded', note: '46 texts; tool prompt published' },
  },
  {
    id: 'claude-opus-4-5', displayName: 'Claude Opus 4.5', createdAt: '2025-11-24T00:00:00Z', aliases: ['claude-opus-4-5-20251101'],
    status: 'active', text: 'v3', generation: '4.5', toolPrompt: { auto: 496, forced: 588 }, imageTier: 'standard', maxMedia: 100,
    evidence: { level: 'documented', note: 'texts recorded (2,514 documents), tool prompt published' },
  },
  {
    id: 'claude-haiku-4-5', displayName: 'Claude Haiku 4.5', createdAt: '2025-10-15T00:00:00Z', aliases: ['claude-haiku-4-5-20251001'],
    status: 'active', text: 'v3', generation: '4.5', toolPrompt: { auto: 496, forced: 588 }, imageTier: 'standard', maxMedia: 100,
    evidence: { level: 'recorded', note: 'over 500 recorded requests' },
  },
  {
    id: 'claude-sonnet-4-5', displayName: 'Claude Sonnet 4.5', createdAt: '2025-09-29T00:00:00Z',
    aliases: ['claude-sonnet-4-5-20250929'], status: 'deprecated',
    text: 'v3', generation: '4.5', toolPrompt: { auto: 496, forced: 588 }, imageTier: 'standard', maxMedia: 100,
    evidence: { level: 'recorded', note: 'over 200 recorded requests' },
  },
  {
    id: 'claude-opus-4-1', displayName: 'Claude Opus 4.1', createdAt: '2025-08-05T00:00:00Z', aliases: ['claude-opus-4-1-20250805'],
    status: 'retired', text: 'v3', generation: '4', toolPrompt: { auto: 313, forced: 315 }, imageTier: 'standard', maxMedia: 100,
    evidence: { level: 'recorded', note: 'over 70 recorded requests' },
  },
  {
    id: 'claude-opus-4', displayName: 'Claude Opus 4', createdAt: '2025-05-22T00:00:00Z',
    aliases: ['claude-opus-4-0', 'claude-opus-4-20250514'], status: 'retired',
    text: 'v3', generation: '4', toolPrompt: { auto: 313, forced: 315 }, imageTier: 'standard', maxMedia: 100,
    evidence: { level: 'documented', note: 'tool prompt published; frame as Sonnet 4' },
  },
  {
    id: 'claude-sonnet-4', displayName: 'Claude Sonnet 4', createdAt: '2025-05-22T00:00:00Z',
    aliases: ['claude-sonnet-4-0', 'claude-sonnet-4-20250514'], status: 'retired',
    text: 'v3', generation: '4', toolPrompt: { auto: 313, forced: 315 }, imageTier: 'standard', maxMedia: 100,
    evidence: { level: 'recorded', note: 'over 300 recorded requests' },
  },
  {
    id: 'claude-3-7-sonnet', displayName: 'Claude Sonnet 3.7', createdAt: '2025-02-24T00:00:00Z',
    aliases: ['claude-3-7-sonnet-20250219', 'claude-3-7-sonnet-latest'], status: 'retired',
    text: 'v3', generation: '3', toolPrompt: { auto: 313, forced: 315 }, imageTier: 'standard', maxMedia: 100,
    evidence: { level: 'recorded', note: '14 recorded requests' },
  },
  {
    id: 'claude-3-5-haiku', displayName: 'Claude Haiku 3.5', createdAt: '2024-10-22T00:00:00Z',
    aliases: ['claude-3-5-haiku-20241022', 'claude-3-5-haiku-latest'], status: 'retired',
    text: 'v3', generation: '3', toolPrompt: { auto: 264, forced: 355 }, imageTier: 'standard', maxMedia: 100,
    evidence: { level: 'recorded', note: 'over 200 recorded requests' },
  },
  {
    id: 'claude-3-5-sonnet', displayName: 'Claude Sonnet 3.5', createdAt: '2024-10-22T00:00:00Z',
    aliases: ['claude-3-5-sonnet-20241022', 'claude-3-5-sonnet-latest'], status: 'retired',
    text: 'v3', generation: '3', toolPrompt: { auto: 313, forced: 314 }, imageTier: 'standard', maxMedia: 100,
    evidence: { level: 'recorded', note: 'about 80 recorded requests; forced 314 by 5 of 5 (published 315)' },
  },
  {
    id: 'claude-3-5-sonnet-20240620', displayName: 'Claude Sonnet 3.5 (June)', createdAt: '2024-06-20T00:00:00Z', aliases: [],
    status: 'retired', text: 'v3', generation: '3', toolPrompt: { auto: 294, forced: 315 }, imageTier: 'standard', maxMedia: 100,
    evidence: { level: 'recorded', note: '54 recorded requests; forced choice assumed' },
  },
  {
    id: 'claude-3-haiku', displayName: 'Claude Haiku 3', createdAt: '2024-03-07T00:00:00Z', aliases: ['claude-3-haiku-20240307'],
    status: 'retired', text: 'v3', generation: '3', toolPrompt: { auto: 264, forced: 355 }, imageTier: 'standard', maxMedia: 100,
    evidence: { level: 'recorded', note: '28 recorded requests' },
  },
  {
    id: 'claude-3-opus', displayName: 'Claude Opus 3', createdAt: '2024-02-29T00:00:00Z',
    aliases: ['claude-3-opus-20240229', 'claude-3-opus-latest'], status: 'retired',
    text: 'v3', generation: '3', toolPrompt: { auto: 533, forced: 281 }, imageTier: 'standard', maxMedia: 100,
    evidence: { level: 'recorded', note: '533 recorded (530 published); forced from the old table, unchecked' },
  },
  {
    id: 'claude-3-sonnet', displayName: 'Claude Sonnet 3', createdAt: '2024-02-29T00:00:00Z', aliases: ['claude-3-sonnet-20240229'],
    status: 'retired', text: 'v3', generation: '3', toolPrompt: { auto: 159, forced: 235 }, imageTier: 'standard', maxMedia: 100,
    evidence: { level: 'documented', note: '5 recorded requests; tool prompt from the old table' },
  },
];
