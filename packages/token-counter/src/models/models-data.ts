import type { ModelRow } from './model-row.ts';

/** Values that the models of one generation share, unless a row overrides them. */
type Generation = Omit<ModelRow, 'id' | 'displayName' | 'createdAt' | 'aliases' | 'evidence'>;

const STANDARD = { status: 'active', text: 'v3', imageTier: 'standard', maxMedia: 100 } as const;
const LATER = { status: 'active', imageTier: 'high', maxMedia: 600 } as const;

const GENERATION_3: Generation = {
  ...STANDARD,
  status: 'retired',
  generation: '3',
  toolPrompt: { auto: 313, forced: 315 },
};
/** Sonnet 3.5 of October 2024 and 3.7 share a prompt (forced: 7 of 7 requests of two sources, published 315). */
const SONNET_3_5: Generation = { ...GENERATION_3, toolPrompt: { auto: 313, forced: 314 } };
/**
 * Tokens that the provider's older table omits for a forced tool choice. Haiku 3.5 rose from 340 to 355. Recorded
 * requests to Haiku 3 and Opus 3 show an equal difference.
 */
const MISSING_IN_OLD_TABLE = 15;
const GENERATION_4: Generation = { ...GENERATION_3, generation: '4' };
const GENERATION_4_5: Generation = { ...STANDARD, generation: '4.5', toolPrompt: { auto: 496, forced: 588 } };
const GENERATION_4_6: Generation = {
  ...STANDARD,
  generation: '4.6',
  maxMedia: 600,
  toolPrompt: { auto: 497, forced: 589 },
};
const OPUS_4_7: Generation = { ...LATER, text: 'v4.7', generation: '4.7', toolPrompt: { auto: 675, forced: 804 } };
const OPUS_5: Generation = { ...LATER, text: 'v5', generation: '5', toolPrompt: { auto: 286, forced: 406 } };
const SONNET_5: Generation = { ...OPUS_5, text: 'v5-sonnet', toolPrompt: { auto: 354, forced: 474 } };
/** Fable and Mythos, with the published tool prompt of Opus 4.8, which three requests to Fable 5 confirm. */
const FABLE_5: Generation = { ...OPUS_5, text: 'v5-sonnet', toolPrompt: { auto: 290, forced: 410 } };
const OPUS_5_5: Generation = { ...OPUS_5, generation: '5.5' };
/** Sonnet 5.5 has the tool prompt of Opus 5.5 (equal counts of one conversation with tools). */
const SONNET_5_5: Generation = { ...OPUS_5_5, text: 'v5-sonnet' };
/** The longer start of Fable 5.1 is reported by a third party only. */
const FABLE_5_1: Generation = { ...FABLE_5, generation: '5.5' };

type RowOverrides = Pick<ModelRow, 'evidence'> &
  Partial<Pick<ModelRow, 'aliases' | 'status' | 'toolPrompt'>> & { deprecatedOn?: string; retiresOn?: string };

const toMidnight = (day: string): string => `${day}T00:00:00Z`;

function createRow(
  id: string,
  displayName: string,
  releasedOn: string,
  generation: Generation,
  overrides: RowOverrides,
): ModelRow {
  const { deprecatedOn, retiresOn, ...rest } = overrides;
  const lifecycle = {
    createdAt: toMidnight(releasedOn),
    ...(deprecatedOn !== undefined && { deprecatedAt: toMidnight(deprecatedOn) }),
    ...(retiresOn !== undefined && { retiresAt: toMidnight(retiresOn) }),
  };
  return { id, displayName, aliases: [], ...lifecycle, ...generation, ...rest };
}

/**
 * One row per model, newest first. Dates of deprecation and retirement are from the provider's page on
 * deprecations (copies up to 2026-10) and from the official client library (version 1.14), which is newer for Opus 4.5 and
 * names no day of its deprecation. Tool prompts are from the provider's published table of 2026 and are exact on recorded requests if `level` is `recorded`.
 * A `documented` row has its other values from related models, an `assumed` row has all.
 */
export const MODEL_ROWS: readonly ModelRow[] = [
  createRow('claude-fable-5-2', 'Claude Fable 5.2', '2026-11-01', FABLE_5_1, {
    evidence: { level: 'assumed', note: 'named by the official SDK only; Opus 4.8 tool prompt' },
  }),
  createRow('claude-mythos-5-2', 'Claude Mythos 5.2', '2026-11-01', FABLE_5_1, {
    evidence: { level: 'assumed', note: 'named by the official SDK only; Opus 4.8 tool prompt' },
  }),
  createRow('claude-haiku-5-5', 'Claude Haiku 5.5', '2026-10-07', SONNET_5_5, {
    evidence: { level: 'assumed', note: 'no published tool prompt; Sonnet 5.5 figures' },
  }),
  createRow('claude-sonnet-5-5', 'Claude Sonnet 5.5', '2026-09-29', SONNET_5_5, {
    evidence: { level: 'recorded', note: '3 recorded requests, one with tools; forced choice as Opus 5' },
  }),
  createRow('claude-opus-5-5', 'Claude Opus 5.5', '2026-09-24', OPUS_5_5, {
    evidence: { level: 'recorded', note: '5 recorded requests, three with tools; forced choice as Opus 5' },
  }),
  createRow('claude-fable-5-1', 'Claude Fable 5.1', '2026-09-01', FABLE_5_1, {
    evidence: { level: 'assumed', note: 'frame as Opus 5.5; Opus 4.8 tool prompt' },
  }),
  createRow('claude-mythos-5-1', 'Claude Mythos 5.1', '2026-09-01', FABLE_5_1, {
    evidence: { level: 'assumed', note: 'documented to count like Fable 5.1; Opus 4.8 tool prompt' },
  }),
  createRow('claude-opus-5', 'Claude Opus 5', '2026-07-24', OPUS_5, {
    evidence: { level: 'documented', note: 'text frame recorded (2,514 documents), tool prompt published' },
  }),
  createRow('claude-sonnet-5', 'Claude Sonnet 5', '2026-06-30', SONNET_5, {
    evidence: { level: 'recorded', note: 'text 12 of 12, tools 5 of 5 recorded requests' },
  }),
  createRow('claude-fable-5', 'Claude Fable 5', '2026-06-09', FABLE_5, {
    evidence: { level: 'recorded', note: 'three requests with tools; tokenizer documented as shared with Mythos 5' },
  }),
  createRow('claude-mythos-5', 'Claude Mythos 5', '2026-06-09', FABLE_5, {
    evidence: { level: 'assumed', note: 'tokenizer documented as shared with Fable 5; Opus 4.8 tool prompt' },
  }),
  createRow('claude-opus-4-8', 'Claude Opus 4.8', '2026-05-28', FABLE_5, {
    evidence: { level: 'documented', note: 'frame recorded on 3 requests, tool prompt published' },
  }),
  createRow('claude-opus-4-7', 'Claude Opus 4.7', '2026-04-16', OPUS_4_7, {
    evidence: { level: 'recorded', note: 'text 46 of 46, tools 11 requests' },
  }),
  createRow('claude-mythos-preview', 'Claude Mythos Preview', '2026-04-07', OPUS_4_7, {
    deprecatedOn: '2026-06-09',
    retiresOn: '2026-06-30',
    status: 'deprecated',
    evidence: { level: 'assumed', note: 'documented as using the newer tokenizer; Opus 4.7 figures' },
  }),
  createRow('claude-sonnet-4-6', 'Claude Sonnet 4.6', '2026-02-17', GENERATION_4_6, {
    evidence: { level: 'recorded', note: 'over 400 recorded requests' },
  }),
  createRow('claude-opus-4-6', 'Claude Opus 4.6', '2026-02-05', GENERATION_4_6, {
    evidence: { level: 'recorded', note: '46 texts; tool prompt published' },
  }),
  createRow('claude-opus-4-5', 'Claude Opus 4.5', '2025-11-24', GENERATION_4_5, {
    aliases: ['claude-opus-4-5-20251101'],
    retiresOn: '2027-01-22',
    status: 'deprecated',
    evidence: { level: 'documented', note: 'texts recorded (2,514 documents), tool prompt published' },
  }),
  createRow('claude-haiku-4-5', 'Claude Haiku 4.5', '2025-10-15', GENERATION_4_5, {
    aliases: ['claude-haiku-4-5-20251001'],
    evidence: { level: 'recorded', note: 'over 500 recorded requests' },
  }),
  createRow('claude-sonnet-4-5', 'Claude Sonnet 4.5', '2025-09-29', GENERATION_4_5, {
    deprecatedOn: '2026-09-30',
    retiresOn: '2026-11-30',
    aliases: ['claude-sonnet-4-5-20250929'],
    status: 'deprecated',
    evidence: { level: 'recorded', note: 'over 200 recorded requests' },
  }),
  createRow('claude-opus-4-1', 'Claude Opus 4.1', '2025-08-05', GENERATION_4, {
    deprecatedOn: '2026-06-05',
    retiresOn: '2026-08-05',
    aliases: ['claude-opus-4-1-20250805'],
    evidence: { level: 'recorded', note: 'over 70 recorded requests' },
  }),
  createRow('claude-opus-4', 'Claude Opus 4', '2025-05-22', GENERATION_4, {
    deprecatedOn: '2026-04-14',
    retiresOn: '2026-06-15',
    aliases: ['claude-opus-4-0', 'claude-opus-4-20250514'],
    evidence: { level: 'documented', note: 'tool prompt published; frame as Sonnet 4' },
  }),
  createRow('claude-sonnet-4', 'Claude Sonnet 4', '2025-05-22', GENERATION_4, {
    deprecatedOn: '2026-04-14',
    retiresOn: '2026-06-15',
    aliases: ['claude-sonnet-4-0', 'claude-sonnet-4-20250514'],
    evidence: { level: 'recorded', note: 'over 300 recorded requests' },
  }),
  createRow('claude-3-7-sonnet', 'Claude Sonnet 3.7', '2025-02-24', SONNET_3_5, {
    deprecatedOn: '2025-10-28',
    retiresOn: '2026-02-19',
    aliases: ['claude-3-7-sonnet-20250219', 'claude-3-7-sonnet-latest'],
    evidence: { level: 'recorded', note: '14 recorded requests' },
  }),
  createRow('claude-3-5-haiku', 'Claude Haiku 3.5', '2024-10-22', GENERATION_3, {
    deprecatedOn: '2025-12-19',
    retiresOn: '2026-02-19',
    aliases: ['claude-3-5-haiku-20241022', 'claude-3-5-haiku-latest'],
    toolPrompt: { auto: 264, forced: 355 },
    evidence: { level: 'recorded', note: 'over 200 recorded requests' },
  }),
  createRow('claude-3-5-sonnet', 'Claude Sonnet 3.5', '2024-10-22', SONNET_3_5, {
    deprecatedOn: '2025-08-13',
    retiresOn: '2025-10-28',
    aliases: ['claude-3-5-sonnet-20241022', 'claude-3-5-sonnet-latest'],
    evidence: { level: 'recorded', note: 'about 80 recorded requests' },
  }),
  createRow('claude-3-5-sonnet-20240620', 'Claude Sonnet 3.5 (June)', '2024-06-20', GENERATION_3, {
    deprecatedOn: '2025-08-13',
    retiresOn: '2025-10-28',
    toolPrompt: { auto: 294, forced: 261 + MISSING_IN_OLD_TABLE },
    evidence: { level: 'recorded', note: '54 recorded requests; forced choice from the old table' },
  }),
  createRow('claude-3-haiku', 'Claude Haiku 3', '2024-03-07', GENERATION_3, {
    aliases: ['claude-3-haiku-20240307'],
    toolPrompt: { auto: 264, forced: 340 + MISSING_IN_OLD_TABLE },
    deprecatedOn: '2026-02-19',
    retiresOn: '2026-04-20',
    evidence: { level: 'recorded', note: '28 recorded requests' },
  }),
  createRow('claude-3-opus', 'Claude Opus 3', '2024-02-29', GENERATION_3, {
    deprecatedOn: '2025-06-30',
    retiresOn: '2026-01-05',
    aliases: ['claude-3-opus-20240229', 'claude-3-opus-latest'],
    toolPrompt: { auto: 533, forced: 281 + MISSING_IN_OLD_TABLE },
    evidence: { level: 'recorded', note: '533 recorded without tool turns (530 published)' },
  }),
  createRow('claude-3-sonnet', 'Claude Sonnet 3', '2024-02-29', GENERATION_3, {
    deprecatedOn: '2025-01-21',
    retiresOn: '2025-07-21',
    aliases: ['claude-3-sonnet-20240229'],
    toolPrompt: { auto: 159, forced: 235 + MISSING_IN_OLD_TABLE },
    evidence: { level: 'documented', note: '5 recorded requests; tool prompt from the old table' },
  }),
];
