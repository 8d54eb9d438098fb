import { hideFigures } from './figures.ts';
import { type Block, parseBlocks } from './parse-blocks.ts';
import { inlineWords } from './parse-inline.ts';
import { type Answer, allowedLinks, type ReportEntry, type Thread } from './thread.ts';
import { endWords } from './words.ts';

/**
 * What a screen reader hears of the thread's last entry: that an answer begins, each look-up, and the answer once it
 * is whole. Never its text while it comes: each piece would be read over the one before. Nothing of what was merely
 * opened.
 */
export function spokenOf({ entries }: Thread, privacy: boolean): string {
  const last = entries.at(-1);
  if (!last || last.role === 'member') return '';
  const words = last.role === 'report' ? reportSpeech(last, privacy) : answerSpeech(last);
  return privacy && last.role === 'assistant' ? hideFigures(words) : words;
}

function answerSpeech(answer: Answer): string {
  if (!answer.live) return '';
  switch (answer.status) {
    case 'done': {
      const end = answer.reason && endWords[answer.reason];
      return [textOf(answer) && `Answer: ${textOf(answer)}`, end].filter(Boolean).join(' ');
    }
    case 'failed':
      return [answer.failure?.message, textOf(answer) && `So far: ${textOf(answer)}`].filter(Boolean).join(' ');
    case 'requested':
    case 'streaming':
    case 'polling': {
      if (answer.stopping) return 'Stopping';
      const call = answer.parts.findLast((part) => part.type === 'tool')?.call;
      return call ? `Answering. Looked up: ${call.title}` : 'Answering';
    }
  }
}

function reportSpeech({ report, error }: ReportEntry, privacy: boolean): string {
  if (error) return `The report did not come. ${error.message}`;
  if (!report) return 'Making the report';
  const lines = report.lines.map((line) => (privacy && line.private ? hideFigures(line.text) : line.text));
  return [`${report.title}.`, ...lines, ...report.incomplete].join(' ');
}

/** The answer's words without marks. */
function textOf(answer: Answer): string {
  const links = allowedLinks(answer);
  return answer.parts
    .flatMap((part) => (part.type === 'text' ? parseBlocks(part.text, links) : []))
    .map(blockWords)
    .join(' ');
}

function blockWords(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${block.lines.map(inlineWords).join(' ')}.`;
    case 'paragraph':
      return block.lines.map(inlineWords).join(' ');
    case 'list':
      return block.items.map(({ parts, items }) => [parts, ...items].map(inlineWords).join('; ')).join('; ') + '.';
    case 'table':
      return block.rows
        .map((row) => row.map((cell, column) => `${inlineWords(block.head[column] ?? [])} ${inlineWords(cell)}`.trim()))
        .map((cells) => `${cells.join(', ')}.`)
        .join(' ');
    case 'code':
      return 'Code, shown below.';
  }
}
