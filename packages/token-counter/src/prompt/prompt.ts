import type { BreakdownPart, PartKind } from '../request-types.ts';

/** What one write or charge adds to the breakdown: a text still to be priced, or tokens. */
interface BreakdownEntry {
  path: string;
  kind: PartKind;
  exact: boolean;
  text: string;
  tokens: number;
}

/** Code units of an estimated text that are taken for a token, where it is not priced by itself. */
const UNITS_PER_TOKEN = 3;

/**
 * The prompt while it is being written: runs of text that are priced as a whole, since pieces merge across the parts'
 * borders, plus fixed charges. Generations whose role markers are text have one run, the others one a turn.
 */
export class Prompt {
  readonly segments: string[][] = [];
  private readonly entries: BreakdownEntry[] = [];
  fixedTokens = 0;
  /** Tokens that no rule gives exactly, by the kind of their part. */
  readonly uncertainTokensByKind = new Map<PartKind, number>();
  /** Kinds of all parts. */
  readonly kinds = new Set<PartKind>();
  private segmentTexts: string[] = [];
  private hasPendingSpace = false;
  private readonly recordsBreakdown: boolean;
  /** Price of a text by itself. */
  readonly countTextTokens: (text: string) => number;

  constructor(recordsBreakdown: boolean, countTextTokens: (text: string) => number) {
    this.recordsBreakdown = recordsBreakdown;
    this.countTextTokens = countTextTokens;
  }

  /** Opens a turn whose marker is text; a blank follows, unless the content brings one of its own. */
  openTurn(marker: string): void {
    this.write(marker);
    this.hasPendingSpace = true;
  }

  /** What follows the marker brings its own line breaks. */
  dropPendingSpace(): void {
    this.hasPendingSpace = false;
  }

  /** Appends text to the open run. */
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

  /** Adds tokens that stand outside the text. */
  addTokens(tokens: number, kind: PartKind = 'frame', path = '', exact = true): void {
    this.fixedTokens += tokens;
    if (!exact) this.addUncertainTokens(kind, tokens);
    this.recordEntry({ path, kind, exact, text: '', tokens });
  }

  /** Charges `tokens` and the price of a text that is not part of the run. */
  addTextTokens(text: string, tokens: number, kind: PartKind, path: string, exact: boolean): void {
    this.addTokens(tokens + (text === '' ? 0 : this.countTextTokens(text)), kind, path, exact);
  }

  /** Closes the open run; what follows does not merge with it. */
  endSegment(): void {
    if (this.segmentTexts.length > 0) this.segments.push(this.segmentTexts);
    this.segmentTexts = [];
    this.hasPendingSpace = false;
  }

  /** `prefix.index` while a breakdown is recorded, else nothing: paths cost more than small counts. */
  joinPath(prefix: string, index: number | string): string {
    return this.recordsBreakdown ? `${prefix}.${index}` : '';
  }

  /**
   * Parts in prompt order, one for each place and kind. Each text is priced by itself, in mid-prompt; what is left of
   * the total is the frame: role markers and what merges across borders.
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
