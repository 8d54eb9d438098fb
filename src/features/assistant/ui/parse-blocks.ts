import { type Inline, parseInline } from './parse-inline.ts';

/** A block of an answer. */
export type Block =
  | { kind: 'heading' | 'paragraph'; lines: Inline[][] }
  | { kind: 'list'; ordered: boolean; start: number; items: ListItem[] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'code'; text: string };

interface ListItem {
  parts: Inline[];
  /** Nested list. Deeper levels are flattened into this one. */
  items: Inline[][];
}

const LIST_ITEM = /^( *)(?:[-*+]|(\d{1,4})[.)]) +(.*)$/;
const TABLE_DIVIDER = /^ *\|? *:?-{1,}:? *(?:\| *:?-{1,}:? *)*\|? *$/;
const FENCE = /^ {0,3}(```|~~~)/;
const HEADING = /^ {0,3}#{1,6} +(.*?)(?: +#+)? *$/;
const HORIZONTAL_RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/;

/**
 * Parses the subset of Markdown that answers use: paragraphs, headings, lists, tables and code. HTML stays plain text.
 * An unfinished text is parsed up to its end.
 */
export function parseBlocks(text: string, links: ReadonlySet<string>): Block[] {
  const lines = text.replaceAll('\t', '    ').split(/\r\n|\n|\r/);
  const blocks: Block[] = [];
  const parseLine = (line: string): Inline[] => parseInline(line.trim(), links);
  for (let lineIndex = 0; lineIndex < lines.length;) {
    const line = lines[lineIndex]!;
    const fence = FENCE.exec(line)?.[1];
    const heading = HEADING.exec(line);
    if (line.trim() === '' || HORIZONTAL_RULE.test(line)) lineIndex += 1;
    else if (fence !== undefined) {
      const end = lines.findIndex((other, index) => index > lineIndex && other.trimStart().startsWith(fence));
      blocks.push({ kind: 'code', text: lines.slice(lineIndex + 1, end === -1 ? undefined : end).join('\n') });
      lineIndex = end === -1 ? lines.length : end + 1;
    } else if (heading) {
      blocks.push({ kind: 'heading', lines: [parseLine(heading[1]!)] });
      lineIndex += 1;
    } else if (isTableStart(lines, lineIndex)) {
      const head = splitCells(line);
      const rows: Inline[][][] = [];
      for (lineIndex += 2; lineIndex < lines.length && lines[lineIndex]!.includes('|'); lineIndex += 1) {
        const row = splitCells(lines[lineIndex]!);
        rows.push(head.map((_, column) => parseLine(row[column] ?? '')));
      }
      blocks.push({ kind: 'table', head: head.map(parseLine), rows });
    } else if (LIST_ITEM.test(line)) lineIndex = readList(lines, lineIndex, blocks, parseLine);
    else {
      const paragraph: Inline[][] = [];
      for (; lineIndex < lines.length && continuesParagraph(lines, lineIndex, paragraph.length); lineIndex += 1)
        paragraph.push(parseLine(lines[lineIndex]!.replace(/^ {0,3}> ?/, '')));
      blocks.push({ kind: 'paragraph', lines: paragraph });
    }
  }
  return blocks;
}

const isTableStart = (lines: readonly string[], lineIndex: number): boolean =>
  lines[lineIndex]!.includes('|') &&
  lines[lineIndex + 1]?.includes('|') === true &&
  TABLE_DIVIDER.test(lines[lineIndex + 1]!);

/** Returns whether a line belongs to a paragraph that already has `lineCount` lines. */
function continuesParagraph(lines: readonly string[], lineIndex: number, lineCount: number): boolean {
  const line = lines[lineIndex]!;
  if (lineCount === 0) return true;
  return (
    line.trim() !== '' &&
    !LIST_ITEM.test(line) &&
    !FENCE.test(line) &&
    !HEADING.test(line) &&
    !isTableStart(lines, lineIndex)
  );
}

/** Splits a line of a table into cells. An escaped bar belongs to the cell. */
const splitCells = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/);

/** Parses a list and returns the index of the line after it. */
function readList(
  lines: readonly string[],
  first: number,
  blocks: Block[],
  parseLine: (line: string) => Inline[],
): number {
  const start = LIST_ITEM.exec(lines[first]!)!;
  const ordered = start[2] !== undefined;
  const items: ListItem[] = [];
  let lineIndex = first;
  for (; lineIndex < lines.length; lineIndex += 1) {
    const line = lines[lineIndex]!;
    const item = LIST_ITEM.exec(line);
    const last = items.at(-1);
    if (item && (item[1]!.length < start[1]!.length + 2 || !last)) {
      if ((item[2] !== undefined) !== ordered) break;
      items.push({ parts: parseLine(item[3]!), items: [] });
    } else if (item && last) last.items.push(parseLine(item[3]!));
    else if (line.trim() === '') {
      if (!LIST_ITEM.test(lines[lineIndex + 1] ?? '')) break;
    } else if (last && line.startsWith('  ') && !FENCE.test(line)) {
      // A line that continues the item.
      const parts = last.items.at(-1) ?? last.parts;
      parts.push({ kind: 'text', text: ' ' }, ...parseLine(line));
    } else break;
  }
  blocks.push({ kind: 'list', ordered, start: Number(start[2] ?? 1), items });
  return lineIndex;
}
