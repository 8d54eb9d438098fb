/** Levels of effort, from the lowest. */
export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

export type ThinkingType = 'enabled' | 'disabled' | 'adaptive' | 'between_tools';

/** US dollars per million tokens. */
export interface Price {
  input: number;
  output: number;
  cacheWrite5m: number | null;
  cacheWrite1h: number | null;
  cacheRead: number | null;
}

/** Whether a model has a feature. Null if nothing is published. */
type Support = boolean | null;

/** Features as the real `GET /v1/models` groups them. */
export interface ModelFeatures {
  batch: Support;
  citations: Support;
  /** Whether programs of the code execution tool may call other tools. */
  programmaticToolCalls: Support;
  imageInput: Support;
  pdfInput: Support;
  structuredOutputs: Support;
  codeExecution: Support;
  webSearch: Support;
  clearToolUses: Support;
  clearThinking: Support;
  compaction: Support;
}

/** What the provider publishes about a model. */
export interface ModelFacts {
  /** Tokens of input and output together. */
  contextWindow: number | null;
  maxOutputTokens: number | null;
  price: Price | null;
  /** Price of the whole request if it has more input tokens than this. */
  longContextPrice: (Price & { aboveInputTokens: number }) | null;
  thinking: Readonly<Record<ThinkingType, Support>>;
  /** Whether thinking that is off or between tools only excludes the efforts `xhigh` and `max`. */
  needsThinkingAtHighEffort: boolean;
  /** Supported efforts. Empty for a model without effort, null if nothing is published. */
  efforts: readonly Effort[] | null;
  /** Whether `tool_choice` may be `any` or `tool`. */
  forcedToolChoice: Support;
  /** Supported types of computer tools. Null if nothing is published. */
  computerTools: readonly string[] | null;
  features: ModelFeatures;
  /** Pages that state the facts. */
  source: string;
  /** Day on which the pages were read (ISO 8601). */
  readOn: string;
}

const DOCS = 'https://platform.claude.com/docs/en';
const READ_ON = '2026-11-29';

/** Returns a price with the usual multiples: writes cost 1.25 and 2 times the input. */
const priceAt = (input: number, output: number, cacheRead: number): Price => ({
  input,
  output,
  cacheWrite5m: input * 1.25,
  cacheWrite1h: input * 2,
  cacheRead,
});

const NO_EFFORT: readonly Effort[] = [];
const UNKNOWN_FEATURES: ModelFeatures = {
  batch: null,
  citations: null,
  programmaticToolCalls: null,
  imageInput: true,
  pdfInput: null,
  structuredOutputs: true,
  codeExecution: null,
  webSearch: null,
  clearToolUses: true,
  clearThinking: true,
  compaction: null,
};
const FEATURES: ModelFeatures = {
  batch: true,
  citations: true,
  programmaticToolCalls: true,
  imageInput: true,
  pdfInput: true,
  structuredOutputs: true,
  codeExecution: true,
  webSearch: true,
  clearToolUses: true,
  clearThinking: true,
  compaction: true,
};
const FEATURES_4_5: ModelFeatures = { ...FEATURES, compaction: false };
const FEATURES_4: ModelFeatures = { ...FEATURES_4_5, programmaticToolCalls: false, structuredOutputs: false };
const FEATURES_3: ModelFeatures = {
  ...UNKNOWN_FEATURES,
  programmaticToolCalls: false,
  structuredOutputs: false,
  clearToolUses: false,
  clearThinking: false,
  compaction: false,
};

type Thinking = ModelFacts['thinking'];
const ALWAYS_ADAPTIVE: Thinking = { enabled: false, disabled: false, adaptive: true, between_tools: false };
const ADAPTIVE: Thinking = { ...ALWAYS_ADAPTIVE, disabled: true };
const BUDGET: Thinking = { enabled: true, disabled: true, adaptive: false, between_tools: false };
const NO_THINKING: Thinking = { ...BUDGET, enabled: false };

const TOOLSET = 'computer_toolset_20260801';

/** Facts that most models of the 5 series share. */
const SERIES_5 = {
  contextWindow: 1_000_000,
  maxOutputTokens: 128_000,
  longContextPrice: null,
  thinking: ALWAYS_ADAPTIVE,
  needsThinkingAtHighEffort: false,
  efforts: EFFORTS,
  forcedToolChoice: true,
  computerTools: [TOOLSET, 'computer_20251124'],
  features: FEATURES,
  source: `${DOCS}/models/overview, ${DOCS}/about-claude/pricing`,
  readOn: READ_ON,
} satisfies Omit<ModelFacts, 'price'>;
const SERIES_5_2: Omit<ModelFacts, 'price'> = {
  ...SERIES_5,
  thinking: { ...ALWAYS_ADAPTIVE, between_tools: null },
  forcedToolChoice: false,
  computerTools: [TOOLSET],
  features: UNKNOWN_FEATURES,
  source: 'model card of Amazon Bedrock and release notes of @ai-sdk/anthropic',
};
const SERIES_4_6: Omit<ModelFacts, 'price'> = {
  ...SERIES_5,
  thinking: { ...ADAPTIVE, enabled: true },
  efforts: ['low', 'medium', 'high', 'max'],
  computerTools: ['computer_20251124'],
};
const SERIES_4: Omit<ModelFacts, 'price'> = {
  ...SERIES_5,
  contextWindow: 200_000,
  maxOutputTokens: 64_000,
  thinking: BUDGET,
  efforts: NO_EFFORT,
  computerTools: ['computer_20250124'],
  features: FEATURES_4_5,
};
const SERIES_3: Omit<ModelFacts, 'price'> = {
  ...SERIES_4,
  maxOutputTokens: 4_096,
  thinking: NO_THINKING,
  computerTools: [],
  features: FEATURES_3,
  source: `${DOCS}/about-claude/models/overview of 2026-03, ${DOCS}/about-claude/model-deprecations`,
};

/** The published facts by model id. */
export const MODEL_FACTS: Readonly<Record<string, ModelFacts>> = {
  'claude-fable-5-2': { ...SERIES_5_2, price: priceAt(8, 40, 0.2) },
  'claude-mythos-5-2': { ...SERIES_5_2, price: priceAt(8, 40, 0.2) },
  'claude-haiku-5-5': {
    ...SERIES_5,
    price: priceAt(0.1, 0.5, 0.01),
    longContextPrice: { aboveInputTokens: 100_000, ...priceAt(0.5, 2.5, 0.05) },
    thinking: ADAPTIVE,
    needsThinkingAtHighEffort: true,
    computerTools: [TOOLSET],
    features: { ...FEATURES, programmaticToolCalls: null, webSearch: null, compaction: null },
    source: `${DOCS}/models/haiku-5-5/overview`,
  },
  'claude-sonnet-5-5': {
    ...SERIES_5,
    price: priceAt(2, 10, 0.1),
    thinking: { ...ALWAYS_ADAPTIVE, between_tools: true },
    needsThinkingAtHighEffort: true,
    forcedToolChoice: false,
    computerTools: [TOOLSET],
    features: { ...FEATURES, programmaticToolCalls: null },
    source: `${DOCS}/models/sonnet-5-5/overview`,
  },
  'claude-opus-5-5': {
    ...SERIES_5,
    price: priceAt(4, 20, 0.2),
    forcedToolChoice: false,
    computerTools: [TOOLSET],
    features: { ...FEATURES, programmaticToolCalls: null },
    source: `${DOCS}/models/opus-5-5/overview`,
  },
  'claude-fable-5-1': {
    ...SERIES_5,
    price: priceAt(10, 50, 0.25),
    forcedToolChoice: false,
    features: { ...FEATURES, webSearch: null },
  },
  'claude-mythos-5-1': {
    ...SERIES_5,
    price: priceAt(10, 50, 0.25),
    forcedToolChoice: false,
    features: { ...FEATURES, webSearch: null },
  },
  'claude-opus-5': { ...SERIES_5, price: priceAt(5, 25, 0.5), thinking: ADAPTIVE, needsThinkingAtHighEffort: true },
  'claude-sonnet-5': {
    ...SERIES_5,
    price: priceAt(2, 10, 0.2),
    thinking: ADAPTIVE,
    features: { ...FEATURES, webSearch: null },
  },
  'claude-fable-5': { ...SERIES_5, price: priceAt(10, 50, 1) },
  'claude-mythos-5': { ...SERIES_5, price: priceAt(10, 50, 1) },
  'claude-opus-4-8': { ...SERIES_5, price: priceAt(5, 25, 0.5), thinking: ADAPTIVE },
  'claude-opus-4-7': {
    ...SERIES_5,
    price: priceAt(5, 25, 0.5),
    thinking: ADAPTIVE,
    computerTools: ['computer_20251124'],
  },
  'claude-mythos-preview': {
    ...SERIES_5_2,
    contextWindow: null,
    maxOutputTokens: null,
    price: { input: 25, output: 125, cacheWrite5m: null, cacheWrite1h: null, cacheRead: null },
    thinking: { ...ALWAYS_ADAPTIVE, enabled: true },
    efforts: ['low', 'medium', 'high', 'max'],
    computerTools: null,
    features: { ...UNKNOWN_FEATURES, imageInput: null, compaction: true },
    source: `${DOCS}/build-with-claude/thinking-troubleshooting, price from secondary sources`,
  },
  'claude-sonnet-4-6': { ...SERIES_4_6, price: priceAt(3, 15, 0.3) },
  'claude-opus-4-6': { ...SERIES_4_6, price: priceAt(5, 25, 0.5) },
  'claude-opus-4-5': {
    ...SERIES_4,
    price: priceAt(5, 25, 0.5),
    efforts: ['low', 'medium', 'high'],
    computerTools: ['computer_20251124'],
  },
  'claude-haiku-4-5': {
    ...SERIES_4,
    price: priceAt(1, 5, 0.1),
    features: { ...FEATURES_4_5, programmaticToolCalls: false },
  },
  'claude-sonnet-4-5': { ...SERIES_4, price: priceAt(3, 15, 0.3) },
  'claude-opus-4-1': {
    ...SERIES_4,
    maxOutputTokens: 32_000,
    price: priceAt(15, 75, 1.5),
    features: { ...FEATURES_4, structuredOutputs: true },
  },
  'claude-opus-4': { ...SERIES_4, maxOutputTokens: 32_000, price: priceAt(15, 75, 1.5), features: FEATURES_4 },
  'claude-sonnet-4': { ...SERIES_4, price: priceAt(3, 15, 0.3), features: FEATURES_4 },
  'claude-3-7-sonnet': {
    ...SERIES_3,
    maxOutputTokens: 64_000,
    price: priceAt(3, 15, 0.3),
    thinking: BUDGET,
    computerTools: ['computer_20250124'],
    features: { ...FEATURES_3, batch: true, codeExecution: true, webSearch: true },
  },
  'claude-3-5-haiku': {
    ...SERIES_3,
    maxOutputTokens: 8_192,
    price: priceAt(0.8, 4, 0.08),
    features: { ...FEATURES_3, codeExecution: true, webSearch: true },
  },
  'claude-3-5-sonnet': {
    ...SERIES_3,
    maxOutputTokens: 8_192,
    price: priceAt(3, 15, 0.3),
    computerTools: ['computer_20241022'],
  },
  'claude-3-5-sonnet-20240620': { ...SERIES_3, maxOutputTokens: 8_192, price: priceAt(3, 15, 0.3) },
  'claude-3-haiku': {
    ...SERIES_3,
    price: { input: 0.25, output: 1.25, cacheWrite5m: 0.3, cacheWrite1h: 0.5, cacheRead: 0.03 },
    features: { ...FEATURES_3, batch: true, pdfInput: true, codeExecution: false, webSearch: false },
  },
  'claude-3-opus': {
    ...SERIES_3,
    price: priceAt(15, 75, 1.5),
    features: { ...FEATURES_3, batch: true, codeExecution: false, webSearch: false },
  },
  'claude-3-sonnet': {
    ...SERIES_3,
    price: priceAt(3, 15, 0.3),
    features: { ...FEATURES_3, codeExecution: false, webSearch: false },
  },
};
