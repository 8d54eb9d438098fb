import type { BreakdownPart, PartKind } from '../request-types.ts';

/** What one write or charge adds to the breakdown: a text still to be priced, or tokens. */
interface Entry {
  path: string;
  kind: PartKind;
  exact: boolean;
  text: string;
  tokens: number;
}

/** Code units of an estimated text that are taken for a token, where it is not priced by itself. */
const UNITS_A_TOKEN = 3;

/**
 * The prompt while it is being written: runs of text that are priced as a whole, since pieces merge across the parts'
 * borders, plus fixed charges. Generations whose role markers are text have one run, the others one a turn.
 */
export class Prompt {
  readonly runs: string[][] = [];
  private readonly entries: Entry[] = [];
  charged = 0;
  /** Tokens that no rule gives exactly, by the kind of their part. */
  readonly uncertain = new Map<PartKind, number>();
  /** Kinds of all parts. */
  readonly kinds = new Set<PartKind>();
  private parts: string[] = [];
  private blankOwed = false;
  private readonly recording: boolean;
  /** Price of a text by itself. */
  readonly priceOf: (text: string) => number;

  constructor(recording: boolean, priceOf: (text: string) => number) {
    this.recording = recording;
    this.priceOf = priceOf;
  }

  /** Opens a turn whose marker is text; a blank follows, unless the content brings one of its own. */
  open(marker: string): void {
    this.write(marker);
    this.blankOwed = true;
  }

  /** What follows the marker brings its own line breaks. */
  skipBlank(): void {
    this.blankOwed = false;
  }

  /** Appends text to the open run. */
  write(text: string, kind: PartKind = 'frame', path = '', exact = true): void {
    if (text === '') return;
    if (this.blankOwed) {
      this.blankOwed = false;
      if (text.charCodeAt(0) !== 0x20) this.parts.push(' ');
    }
    this.record({ path, kind, exact, text, tokens: 0 });
    if (!exact) this.doubt(kind, Math.round(text.length / UNITS_A_TOKEN));
    this.parts.push(text);
  }

  /** Adds tokens that stand outside the text. */
  charge(tokens: number, kind: PartKind = 'frame', path = '', exact = true): void {
    this.charged += tokens;
    if (!exact) this.doubt(kind, tokens);
    this.record({ path, kind, exact, text: '', tokens });
  }

  /** Charges `tokens` and the price of a text that is not part of the run. */
  chargeText(text: string, tokens: number, kind: PartKind, path: string, exact: boolean): void {
    this.charge(tokens + (text === '' ? 0 : this.priceOf(text)), kind, path, exact);
  }

  /** Closes the open run; what follows does not merge with it. */
  endRun(): void {
    if (this.parts.length > 0) this.runs.push(this.parts);
    this.parts = [];
    this.blankOwed = false;
  }

  /** `prefix.index` while a breakdown is recorded, else nothing: paths cost more than small counts. */
  path(prefix: string, index: number | string): string {
    return this.recording ? `${prefix}.${index}` : '';
  }

  /**
   * Parts in prompt order, one for each place and kind. Each text is priced by itself, in mid-prompt; what is left of
   * the total is the frame: role markers and what merges across borders.
   */
  breakDown(total: number): BreakdownPart[] {
    const parts = new Map<string, BreakdownPart>();
    let rest = total;
    for (const { path, kind, exact, text, tokens } of this.entries) {
      const price = tokens + (text === '' ? 0 : this.priceOf(text));
      const key = `${kind} ${path}`;
      const known = parts.get(key);
      parts.set(key, { path, kind, tokens: (known?.tokens ?? 0) + price, exact: exact && known?.exact !== false });
      rest -= price;
    }
    return [{ path: '', kind: 'frame', tokens: rest, exact: true }, ...parts.values()];
  }

  private doubt(kind: PartKind, tokens: number): void {
    this.uncertain.set(kind, (this.uncertain.get(kind) ?? 0) + tokens);
  }

  private record(entry: Entry): void {
    this.kinds.add(entry.kind);
    if (this.recording && entry.kind !== 'frame') this.entries.push(entry);
  }
}
