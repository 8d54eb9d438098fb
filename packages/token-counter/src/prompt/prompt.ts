import type { BreakdownPart, PartKind } from '../request-types.ts';

/** An addition to the breakdown: a text that is not counted yet, or tokens. */
interface BreakdownEntry {
  path: string;
  kind: PartKind;
  exact: boolean;
  text: string;
  tokens: number;
}

/** Assumed number of code units per token of an estimated text that is not counted separately. */
const UNITS_PER_TOKEN = 3;

/**
 * The prompt while it is being written: segments of text and fixed tokens. A segment is counted as a whole, because
 * pieces merge across the boundaries of parts. If role markers are text there is one segment, or else one per turn.
 */
export class Prompt {
  readonly segments: string[][] = [];
  private readonly entries: BreakdownEntry[] = [];
  fixedTokens = 0;
  /** Tokens that no rule gives exactly, by kind of part. */
  readonly uncertainTokensByKind = new Map<PartKind, number>();
  /** The kinds of all parts. */
  readonly kinds = new Set<PartKind>();
  private segmentTexts: string[] = [];
  private hasPendingSpace = false;
  private readonly recordsBreakdown: boolean;
  /** Returns the tokens of a separate text. */
  readonly countTextTokens: (text: string) => number;

  constructor(recordsBreakdown: boolean, countTextTokens: (text: string) => number) {
    this.recordsBreakdown = recordsBreakdown;
    this.countTextTokens = countTextTokens;
  }

  /** Opens a turn with a text marker. A space follows, unless the content begins with white space of its own. */
  openTurn(marker: string): void {
    this.write(marker);
    this.hasPendingSpace = true;
  }

  /** Drops the pending space, because the content begins with its own line breaks. */
  dropPendingSpace(): void {
    this.hasPendingSpace = false;
  }

  /** Appends text to the open segment. */
  write(text: string, kind: PartKind = 'frame', path = '', exact = true): void {
    if (text === '') return;
    if (this.hasPendingSpace) {
      this.hasPendingSpace = false;
      if (text.charCodeAt(0) !== 0x20) this.segmentTexts.push(' ');
    }
    this.recordEntry({ path, kind, exact, text, tokens: 0 });
    if (!exact) this.addUncertainTokens(kind, Math.round(text.length / UNITS_PER_TOKEN));
    this.segmentTexts.push(text);
  }

  /** Adds tokens outside the text. */
  addTokens(tokens: number, kind: PartKind = 'frame', path = '', exact = true): void {
    this.fixedTokens += tokens;
    if (!exact) this.addUncertainTokens(kind, tokens);
    this.recordEntry({ path, kind, exact, text: '', tokens });
  }

  /** Adds `tokens` and the tokens of a text that is not in the segment. */
  addTextTokens(text: string, tokens: number, kind: PartKind, path: string, exact: boolean): void {
    this.addTokens(tokens + (text === '' ? 0 : this.countTextTokens(text)), kind, path, exact);
  }

  /** Closes the open segment, so that later text does not merge with it. */
  endSegment(): void {
    if (this.segmentTexts.length > 0) this.segments.push(this.segmentTexts);
    this.segmentTexts = [];
    this.hasPendingSpace = false;
  }

  /** Returns `prefix.index` if a breakdown is recorded, or else an empty string. Paths cost more than small counts. */
  joinPath(prefix: string, index: number | string): string {
    return this.recordsBreakdown ? `${prefix}.${index}` : '';
  }

  /**
   * Returns the parts in prompt order, one per path and kind. Each text is counted separately within a prompt. The rest
   * of the total is the frame: role markers and merges across boundaries.
   */
  toBreakdown(total: number): BreakdownPart[] {
    const parts = new Map<string, BreakdownPart>();
    let remainingTokens = total;
    for (const { path, kind, exact, text, tokens } of this.entries) {
      const tokenCount = tokens + (text === '' ? 0 : this.countTextTokens(text));
      const key = `${kind} ${path}`;
      const existing = parts.get(key);
      parts.set(key, {
        path,
        kind,
        tokens: (existing?.tokens ?? 0) + tokenCount,
        exact: exact && existing?.exact !== false,
      });
      remainingTokens -= tokenCount;
    }
    return [{ path: '', kind: 'frame', tokens: remainingTokens, exact: true }, ...parts.values()];
  }

  private addUncertainTokens(kind: PartKind, tokens: number): void {
    this.uncertainTokensByKind.set(kind, (this.uncertainTokensByKind.get(kind) ?? 0) + tokens);
  }

  private recordEntry(entry: BreakdownEntry): void {
    this.kinds.add(entry.kind);
    if (this.recordsBreakdown && entry.kind !== 'frame') this.entries.push(entry);
  }
}
