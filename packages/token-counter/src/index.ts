/** The token counter for Node and browsers. It imports nothing from outside this folder. */
export { countTokens, countInputTokens, countWithErrorEstimate } from './prompt/count-request.ts';
export { countText } from './count-text.ts';
export { computeBounds, estimateUncertainty } from './uncertainty.ts';
export type { ErrorEstimate, Uncertainty } from './uncertainty.ts';
export { isSeries5, listModels, resolveModel } from './models/models.ts';
export { findModel } from './models/find-model.ts';
export type { FoundModel } from './models/find-model.ts';
export type { ModelRow } from './models/model-row.ts';
export { collectMedia } from './media/collect-media.ts';
export type { MediaReference } from './media/collect-media.ts';
export { readImageSize } from './media/image-size.ts';
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
