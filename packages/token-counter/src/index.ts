/** The token counter for Node and browsers. It imports nothing from outside this folder. */
export { countTokens, countInputTokens, countWithErrorEstimate } from './prompt/count-request.ts';
export { countText } from './count-text.ts';
export { fitMessages } from './fit-messages.ts';
export type { FitOptions, FittedRequest } from './fit-messages.ts';
export { computeBounds, estimateUncertainty } from './uncertainty.ts';
export type { ErrorEstimate, Uncertainty } from './uncertainty.ts';
export { isSeries5, listModels } from './models/models.ts';
export { resolveModel, suggestModel } from './models/resolve-model.ts';
export { describeModel } from './models/describe-model.ts';
export { EFFORTS } from './models/model-facts.ts';
export type { ModelDescription } from './models/describe-model.ts';
export type { Effort, ModelFacts, ModelFeatures, Price, ThinkingType } from './models/model-facts.ts';
export type { ModelRow } from './models/model-row.ts';
export { estimateCost, remaining } from './cost.ts';
export type { CostOptions, KnownCount } from './cost.ts';
export { collectMedia } from './media/collect-media.ts';
export type { MediaReference } from './media/collect-media.ts';
export { readImageSize } from './media/image-size.ts';
export { isResized } from './media/image-tokens.ts';
export type {
  BreakdownPart,
  ContentBlock,
  CountOptions,
  CountTokensRequest,
  DocumentBlock,
  DocumentSource,
  ImageSize,
  ImageSource,
  Message,
  PartKind,
  PdfFacts,
  TokenCount,
  ToolDefinition,
} from './request-types.ts';
