import {
  collectMedia,
  countTokens,
  type CountTokensRequest,
  type DocumentSource,
  estimateUncertainty,
  listModels,
  type MediaReference,
  type ModelRow,
  type PartKind,
  type PdfFacts,
  readImageSize,
  resolveModel,
} from '../../../../../packages/token-counter/src/index.ts';
import { CREATION_FIELDS, omitCreationFields } from '../../command/creation-fields.ts';
import { locatePath } from '../../command/locate-problem.ts';
import type { PdfProblem, PdfResult } from '../../pdf/pdf-result.ts';
import { formatUnknownModel } from '../../unknown-model.ts';
import { formatProblem, type Problem, validationError } from '../../validation/problem.ts';
import { validateRequest } from '../../validation/validate-request.ts';
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
  const locate: Locate = (path) => locatePath(text, path) ?? { line: 1, column: 1 };
  const whole = parsed.value as Record<string, unknown>;
  const named = omitCreationFields(whole);
  const sources = findUncountableSources(named);
  if (sources.length > 0)
    return {
      status: 'uncountable',
      sources: sources.map((source) => ({ ...source, line: locate(source.path).line })),
    };

  const request = insertFilesInto(named, files);
  const outcomes: ModelOutcome[] = [];
  for (const model of [undefined, ...otherModels])
    outcomes.push(await countForModel(model === undefined ? request : { ...request, model }, readPdf));
  const models = outcomes.map((outcome) => toModelCount(outcome, locate));
  const [first] = models;
  if (first?.ok === false && models.every((each) => !each.ok && each.problem.message === first.problem.message))
    return { status: 'invalid', problem: first.problem };
  return { status: 'counted', models, parts: joinParts(outcomes, named), ignoredFields: listCreationFields(whole) };
}

/** Finds the place of a path in the text. */
type Locate = (path: string) => { line: number; column: number };

const listCreationFields = (request: Record<string, unknown>): string[] =>
  Object.keys(request).filter((name) => CREATION_FIELDS.has(name));

type ModelOutcome =
  | { ok: true; row: ModelRow; count: ReturnType<typeof countTokens> }
  | { ok: false; model: string; problem: Problem };

async function countForModel(body: Record<string, unknown>, readPdf: ReadPdf): Promise<ModelOutcome> {
  const model = typeof body['model'] === 'string' ? body['model'] : '';
  const problem = validateRequest(body, '2023-06-01');
  if (problem) return { ok: false, model, problem };
  const request = body as unknown as CountTokensRequest;
  const row = resolveModel(model);
  if (!row) return { ok: false, model, problem: { path: 'model', message: formatUnknownModel(model) } };
  const media = collectMedia(request);
  const mediaProblem = findMediaProblem(media, row);
  if (mediaProblem) return { ok: false, model, problem: mediaProblem };
  const pdfs = await readPdfs(media, row, readPdf);
  if (!pdfs.ok) return { ok: false, model, problem: pdfs.problem };
  return { ok: true, row, count: countTokens(request, { pdf: (source) => pdfs.facts.get(source) }) };
}

const isPdf = ({ block }: MediaReference): boolean => block.type === 'document' && block.source.type === 'base64';

/** Returns the first image or document that has no data here or cannot be read. */
function findMediaProblem(media: readonly MediaReference[], { maxMedia }: ModelRow): Problem | undefined {
  if (media.length > maxMedia)
    return validationError(`too many images and documents: ${media.length} > ${maxMedia}`, 'messages');
  for (const { path, block } of media) {
    if (block.source.type !== 'base64') continue;
    const { data } = block.source;
    const dataPath = `${path}.source.data`;
    if (isFileName(data))
      return validationError(`The data of ${getShortName(data)} is missing. Add the file.`, dataPath);
    if (!isBase64(data)) return validationError('Invalid base64 data', dataPath);
    if (block.type === 'image' && !readImageSize(data)) return validationError('Could not process image', dataPath);
  }
  return undefined;
}

function isBase64(text: string): boolean {
  const digits = text.replace(/={1,2}$/, '').length;
  if (digits % 4 === 1 || (digits < text.length && text.length % 4 !== 0)) return false;
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

const PDF_MESSAGES: Readonly<Record<Exclude<PdfProblem, 'too_many_pages'>, string>> = {
  malformed: 'The PDF specified was not valid.',
  encrypted: 'The PDF specified is password protected.',
  too_much_text: 'The PDF specified holds more text than this page reads.',
  too_slow: 'The PDF specified takes too long to read.',
  too_much_memory: 'The PDF specified needs too much memory to read.',
  cancelled: 'The PDF specified was not read to its end.',
};

async function readPdfs(
  media: readonly MediaReference[],
  { maxMedia }: ModelRow,
  readPdf: ReadPdf,
): Promise<{ ok: true; facts: Map<DocumentSource, PdfFacts> } | { ok: false; problem: Problem }> {
  const facts = new Map<DocumentSource, PdfFacts>();
  let pages = 0;
  for (const reference of media.filter(isPdf)) {
    const { source } = reference.block;
    const result = await readPdf((source as { data: string }).data);
    const path = `${reference.path}.source.data`;
    if (!result.ok && result.problem !== 'too_many_pages')
      return { ok: false, problem: validationError(PDF_MESSAGES[result.problem], path) };
    pages += result.ok ? result.pages.length : Infinity;
    if (!result.ok || pages > maxMedia)
      return { ok: false, problem: validationError(`A maximum of ${maxMedia} PDF pages may be provided.`, path) };
    facts.set(source, { pages: result.pages });
  }
  return { ok: true, facts };
}

function toModelCount(outcome: ModelOutcome, locate: Locate): ModelCount {
  if (!outcome.ok) {
    const { model, problem } = outcome;
    const message = problem.message.startsWith('model: ') ? problem.message : formatProblem(problem);
    const displayName = resolveModel(model)?.displayName ?? model;
    return { ok: false, model, displayName, problem: { message, ...locate(problem.path) } };
  }
  const { row, count } = outcome;
  const { low, high, parts } = estimateUncertainty(count, row.id);
  return {
    ok: true,
    model: row.id,
    displayName: row.displayName,
    inputTokens: count.input_tokens,
    low,
    high,
    estimatedKinds: [...new Set(parts.map(({ kind }) => kind))],
  };
}

/** Joins the parts of all counts by path and kind, in the order of the request. */
function joinParts(outcomes: readonly ModelOutcome[], named: Record<string, unknown>): PartRow[] {
  const rows = new Map<string, PartRow>();
  outcomes.forEach((outcome, column) => {
    if (!outcome.ok) return;
    for (const { path, kind, tokens, exact } of outcome.count.breakdown) {
      const key = `${kind} ${path}`;
      const row = rows.get(key) ?? { path, label: labelPart({ path, kind }, named), tokens: outcomes.map(() => null) };
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
