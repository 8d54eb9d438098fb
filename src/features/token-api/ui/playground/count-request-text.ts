import {
  collectMedia,
  countTokens,
  type CountTokensRequest,
  estimateUncertainty,
  listModels,
  type MediaReference,
  type ModelRow,
  type PartKind,
  resolveModel,
  type TokenCount,
} from '../../../../../packages/token-counter/src/index.ts';
import { CREATION_FIELDS, omitCreationFields } from '../../command/creation-fields.ts';
import { locateProblem } from '../../command/locate-problem.ts';
import { measureUse, type RequestUse } from '../../command/request-use.ts';
import type { PdfResult } from '../../pdf/pdf-result.ts';
import { listPdfs, readPdfs } from '../../pdf/read-pdfs.ts';
import { formatUnknownModel } from '../../unknown-model.ts';
import { findMediaProblem } from '../../validation/media-rules.ts';
import { formatProblem, type Problem, validationError } from '../../validation/problem.ts';
import { validateRequest } from '../../validation/validate-request.ts';
import { decodeBase64 } from './decode-base64.ts';
import { labelPart } from './part-labels.ts';
import { getShortName, insertFilesInto, isFileName, type RequestFiles } from './request-files.ts';
import { parseRequestText, type TextProblem } from './request-text.ts';
import { findUncountableSources, type UncountableSource } from './uncountable-sources.ts';

/** The count of a request for one model, or the reason why the model refuses the request. */
export type ModelCount =
  | {
      ok: true;
      model: string;
      displayName: string;
      inputTokens: number;
      /** Bounds that nine in ten recorded requests meet, inclusive. */
      low: number;
      high: number;
      estimatedKinds: PartKind[];
      use: RequestUse;
    }
  | { ok: false; model: string; displayName: string; problem: TextProblem };

/** One part of the request with its tokens for each model. A part without tokens for a model has null. */
export interface PartRow {
  path: string;
  label: string;
  tokens: ({ tokens: number; exact: boolean } | null)[];
}

export type RequestCounts =
  | { status: 'empty' }
  /** The request has a syntax error, or every model refuses it for the same reason. */
  | { status: 'invalid'; problem: TextProblem }
  | { status: 'uncountable'; sources: (UncountableSource & { line: number })[] }
  | { status: 'counted'; models: ModelCount[]; parts: PartRow[]; ignoredFields: string[] };

/** Reads a PDF. The parser of the browser loads on first use. */
export type ReadPdf = (data: string) => Promise<PdfResult>;

/**
 * Validates and counts the text of a request as the endpoint does, for the model in the request and for other models.
 * @param files the data of the file names in the text
 */
export async function countRequestText(
  text: string,
  files: RequestFiles,
  otherModels: readonly string[],
  readPdf: ReadPdf,
): Promise<RequestCounts> {
  if (text.trim() === '') return { status: 'empty' };
  const parsed = parseRequestText(text);
  if (!parsed.ok) return { status: 'invalid', problem: parsed.problem };
  const locate: Locate = (problem) => locateProblem(text, problem) ?? { line: 1, column: 1 };
  /** The request with the names of files in place of their data. */
  const namedRequest = omitCreationFields(parsed.value);
  const sources = findUncountableSources(namedRequest);
  if (sources.length > 0)
    return {
      status: 'uncountable',
      sources: sources.map((source) => ({ ...source, line: locate(source).line })),
    };

  const request = insertFilesInto(namedRequest, files);
  const outcomes: ModelOutcome[] = [];
  for (const model of [undefined, ...otherModels])
    outcomes.push(await countForModel(model === undefined ? request : { ...request, model }, readPdf));
  const models = outcomes.map((outcome) => toModelCount(outcome, locate));
  const [first] = models;
  if (first?.ok === false && models.every((each) => !each.ok && each.problem.message === first.problem.message))
    return { status: 'invalid', problem: first.problem };
  return {
    status: 'counted',
    models,
    parts: joinParts(outcomes, namedRequest),
    ignoredFields: listCreationFields(parsed.value),
  };
}

/** Finds the place of a problem in the text. */
type Locate = (problem: Pick<Problem, 'path' | 'mediaPath'>) => { line: number; column: number };

const listCreationFields = (request: Record<string, unknown>): string[] =>
  Object.keys(request).filter((name) => CREATION_FIELDS.has(name));

type ModelOutcome =
  | { ok: true; row: ModelRow; count: TokenCount; use: RequestUse }
  | { ok: false; model: string; problem: Problem };

async function countForModel(body: Record<string, unknown>, readPdf: ReadPdf): Promise<ModelOutcome> {
  const model = typeof body['model'] === 'string' ? body['model'] : '';
  const problem = validateRequest(body, '2023-06-01');
  if (problem) return { ok: false, model, problem };
  const request = body as unknown as CountTokensRequest;
  const row = resolveModel(model);
  if (!row) return { ok: false, model, problem: { path: 'model', message: formatUnknownModel(model) } };
  const media = collectMedia(request);
  const mediaProblem = findMissingFile(media) ?? findMediaProblem(request, media, row, decodeBase64);
  if (mediaProblem) return { ok: false, model, problem: mediaProblem };
  const read = await readPdfs(listPdfs(media), row.maxMedia, ({ data }) => readPdf(data));
  if (!read.ok) return { ok: false, model, problem: read.problem };
  const count = countTokens(request, { pdf: (source) => read.pdfs.get(source) });
  return { ok: true, row, count, use: measureUse(request, count) };
}

/** Returns the first image or document whose text in the editor is a name, but whose file is not here. */
function findMissingFile(media: readonly MediaReference[]): Problem | undefined {
  for (const { path, block } of media) {
    if (block.source.type !== 'base64' || !isFileName(block.source.data)) continue;
    const message = `The data of ${getShortName(block.source.data)} is missing. Add the file.`;
    return validationError(message, `${path}.source.data`);
  }
  return undefined;
}

function toModelCount(outcome: ModelOutcome, locate: Locate): ModelCount {
  if (!outcome.ok) {
    const { model, problem } = outcome;
    const message = problem.message.startsWith('model: ') ? problem.message : formatProblem(problem);
    const displayName = resolveModel(model)?.displayName ?? model;
    return { ok: false, model, displayName, problem: { message, ...locate(problem) } };
  }
  const { row, count, use } = outcome;
  const { low, high, parts } = estimateUncertainty(count, row.id);
  return {
    ok: true,
    model: row.id,
    displayName: row.displayName,
    inputTokens: count.input_tokens,
    low,
    high,
    estimatedKinds: [...new Set(parts.map(({ kind }) => kind))],
    use,
  };
}

/** Joins the parts of all counts by path and kind, in the order of the request. */
function joinParts(outcomes: readonly ModelOutcome[], namedRequest: Record<string, unknown>): PartRow[] {
  const rows = new Map<string, PartRow>();
  outcomes.forEach((outcome, column) => {
    if (!outcome.ok) return;
    for (const { path, kind, tokens, exact } of outcome.count.breakdown) {
      const key = `${kind} ${path}`;
      const row = rows.get(key) ?? {
        path,
        label: labelPart({ path, kind }, namedRequest),
        tokens: outcomes.map(() => null),
      };
      row.tokens[column] = { tokens, exact };
      rows.set(key, row);
    }
  });
  return [...rows.values()];
}

/** Returns the models whose conversation may have a system turn, by validating a small request for each model. */
export function listModelsWithSystemTurns(): string[] {
  const messages = [
    { role: 'user', content: 'Hello' },
    { role: 'system', content: 'Hello' },
  ];
  return listModels()
    .filter(({ id }) => validateRequest({ model: id, messages }, '2023-06-01') === undefined)
    .map(({ id }) => id);
}
