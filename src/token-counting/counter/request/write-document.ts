import type { ContentBlock, DocumentBlock } from '../request-types.ts';
import { pdfEstimate, pdfPageTokens } from '../media/pdf-tokens.ts';
import { askForCitations, citationMarks } from './citations.ts';
import type { Context } from './context.ts';
import { measureImage, type Position } from './write-image.ts';
import { FITTED } from './fitted.ts';

/** Writes a document of a user message. */
export function writeDocument(context: Context, block: DocumentBlock, path: string, position: Position): void {
  const { documentAfter, mergesWithStop } = context.rules;
  const { before } = position;
  if (before !== undefined && before.type !== 'document' && !(mergesWithStop && endsSentence(before)))
    context.prompt.charge(documentAfter, 'document', path, false);
  writeDocumentItself(context, block, path);
  const written = block.source.type === 'text' || block.source.type === 'content';
  if (written && position.after?.type === 'text' && !position.last)
    context.prompt.charge(FITTED.textAfter, 'document', path, false);
}

function endsSentence(before: ContentBlock): boolean {
  return before.type === 'text' && /\w\.$/.test(before.text);
}

/** Writes a document wherever it stands: frame, title, context, content. An estimate: what is read from a PDF is not
 * known exactly. */
export function writeDocumentItself(context: Context, block: DocumentBlock, path: string): void {
  const { prompt } = context;
  const cited = block.citations?.enabled === true;
  if (cited) askForCitations(context);
  prompt.charge(FITTED.documentFrame, 'document', path, false);
  if (typeof block.title === 'string' && block.title !== '') {
    prompt.chargeText(
      `<source>${block.title}</source>`,
      FITTED.titleFrame + (cited ? FITTED.citedTitle : 0),
      'document',
      path,
      false,
    );
  }
  if (typeof block.context === 'string' && block.context !== '')
    prompt.chargeText(block.context, FITTED.titleFrame, 'document', path, false);
  const { source } = block;
  if (source.type === 'text') writeText(context, source.data, path, cited);
  else if (source.type === 'content') writeParts(context, source.content, path, cited);
  else writePages(context, block, path, cited);
}

function writeText(context: Context, text: string, path: string, cited: boolean, kind?: 'page'): void {
  // Line breaks at the end merge with those of the frame.
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x0a) end--;
  context.prompt.chargeText(text.slice(0, end), 0, 'document', path, false);
  if (cited) citationMarks(context, text, path, kind);
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
    prompt.charge(pdfPageTokens(page, model), 'document', path, false);
    writeText(context, page.text, path, cited, 'page');
  }
}
