import type { DocumentBlock } from '../request-types.ts';
import { pdfEstimate, pdfPageTokens } from '../media/pdf-tokens.ts';
import { citationMarks } from './citations.ts';
import type { Context } from './context.ts';
import { measureImage, type Position } from './write-image.ts';

/** How a document begins, whatever stands before it. */
const OPENING = '<';
/** Longer runs of signs are no part of a piece with it. */
const LONGEST_END = 32;

/** Writes a document of a user message. */
export function writeDocument(context: Context, block: DocumentBlock, path: string, position: Position): void {
  context.prompt.charge(opening(context, position.before), 'document', path, false);
  writeDocumentItself(context, block, path);
  const written = block.source.type === 'text' || block.source.type === 'content';
  if (written && position.after?.type === 'text' && !position.last)
    context.prompt.charge(context.fitted.overheads.textAfter, 'document', path, false);
}

/**
 * Tokens by which the sign that opens a document is dearer behind other content than at the start of its message. There
 * it merges with the colon of a role marker that is text, where the vocabulary has that piece; so it does with other
 * signs that a text ends with, and with the end of a document.
 */
function opening(context: Context, before: Position['before']): number {
  const { prompt, rules } = context;
  if (before === undefined || before.type === 'document') return 0;
  const end = before.type === 'text' ? before.text.slice(-LONGEST_END) : '';
  const behind = (text: string): number => prompt.priceOf(text + OPENING) - prompt.priceOf(text);
  const first = rules.turns === 'text' ? behind('Human:') : prompt.priceOf(OPENING);
  if (rules.documentOnNewLine) return prompt.priceOf(`\n${OPENING}`) - first;
  return (end === '' ? prompt.priceOf(OPENING) : behind(end)) - first;
}

/** Writes a document wherever it stands: frame, title, context, content. What is read from a PDF is an estimate. */
export function writeDocumentItself(context: Context, block: DocumentBlock, path: string): void {
  const { prompt, rules } = context;
  const cited = block.citations?.enabled === true;
  prompt.charge(
    rules.newerCharges ? context.fitted.overheads.documentFrameLater : context.fitted.overheads.documentFrame,
    'document',
    path,
    false,
  );
  if (typeof block.title === 'string' && block.title !== '') {
    const around = context.fitted.overheads.titleFrame + (cited ? context.fitted.overheads.citedTitle : 0);
    prompt.chargeText(`<source>${block.title}</source>`, around, 'document', path, false);
  }
  if (typeof block.context === 'string' && block.context !== '')
    prompt.chargeText(block.context, context.fitted.overheads.titleFrame, 'document', path, false);
  const { source } = block;
  if (source.type === 'text') writeText(context, source.data, path, cited);
  else if (source.type === 'content') writeParts(context, source.content, path, cited);
  else writePages(context, block, path, cited);
}

function writeText(context: Context, text: string, path: string, cited: boolean, kind?: 'page'): void {
  const { prompt } = context;
  if (!cited && kind === undefined) {
    // The sign that closes the document stands directly behind its text, and may merge with it.
    prompt.chargeText(text + OPENING, -prompt.priceOf(OPENING), 'document', path, false);
    return;
  }
  // Sentences of a cited text and pages of a PDF leave their last line breaks out.
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x0a) end--;
  prompt.chargeText(text.slice(0, end), 0, 'document', path, false);
  if (cited) citationMarks(context, text, path, kind ?? 'text');
}

type Parts = Extract<DocumentBlock['source'], { type: 'content' }>['content'];

function writeParts(context: Context, content: Parts, path: string, cited: boolean): void {
  if (typeof content === 'string') return writeText(context, content, path, cited);
  for (const part of content) {
    if (part.type === 'text') writeText(context, part.text, path, cited);
    else context.prompt.charge(measureImage(context, part, path).tokens, 'image', path, false);
  }
}

function writePages(context: Context, block: DocumentBlock, path: string, cited: boolean): void {
  const { prompt, options, model } = context;
  const facts = options.pdf?.(block.source, path);
  if (facts === undefined) {
    prompt.charge(pdfEstimate(block.source.type === 'base64' ? block.source.data.length : 0), 'document', path, false);
    return;
  }
  for (const page of facts.pages) {
    prompt.charge(pdfPageTokens(page, model, context.fitted), 'document', path, false);
    writeText(context, page.text, path, cited, 'page');
    if (cited) prompt.charge(context.fitted.overheads.citedPage, 'citations', path, false);
  }
}
