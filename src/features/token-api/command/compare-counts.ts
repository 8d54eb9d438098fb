import { type CountedRequest, formatPartName, type NamedPart } from '../count-file.ts';

/** The difference of one part between two requests. */
interface PartDifference {
  path: string;
  kind: string;
  name?: string;
  /** Tokens in the first and in the second request. 0 if the request has no such part. */
  tokens: [first: number, second: number];
  difference: number;
}

export interface CountDifference {
  input_tokens: [first: number, second: number];
  difference: number;
  /** The parts that differ, in the order of the prompt. */
  parts: PartDifference[];
}

/** Returns the difference of two counts, part by part. Tools are compared by name, other parts by path. */
export function compareCounts(first: CountedRequest, second: CountedRequest): CountDifference {
  const parts = new Map<string, PartDifference>();
  const addParts = (breakdown: readonly NamedPart[], index: 0 | 1): void => {
    for (const { path, kind, name, tokens } of breakdown) {
      const key = `${kind} ${name ?? path}`;
      const part = parts.get(key) ?? { path, kind, ...(name !== undefined && { name }), tokens: [0, 0], difference: 0 };
      part.tokens[index] += tokens;
      part.difference = part.tokens[1] - part.tokens[0];
      parts.set(key, part);
    }
  };
  addParts(first.count.breakdown, 0);
  addParts(second.count.breakdown, 1);
  return {
    input_tokens: [first.count.input_tokens, second.count.input_tokens],
    difference: second.count.input_tokens - first.count.input_tokens,
    parts: [...parts.values()].filter(({ difference }) => difference !== 0),
  };
}

/** Returns the differences as rows of a table: the heads first, the total last. */
export function toDifferenceRows({ input_tokens, difference, parts }: CountDifference): string[][] {
  return [
    ['first', 'second', 'difference', 'part', 'path'],
    ...parts.map((part) => toRow(part.tokens, part.difference, part.kind, formatPartName(part))),
    toRow(input_tokens, difference, 'input tokens', ''),
  ];
}

function toRow(tokens: readonly number[], difference: number, kind: string, name: string): string[] {
  return [...tokens.map(String), difference > 0 ? `+${difference}` : String(difference), kind, name];
}
