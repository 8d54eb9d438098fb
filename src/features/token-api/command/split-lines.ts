const LINE_FEED = 0x0a;

/** One line of a file without its line break. */
export interface Line {
  /** Counted from 1. */
  number: number;
  bytes: Buffer;
}

/**
 * Yields the lines of a stream that have content. Only a line feed ends a line, because JSON strings may contain every
 * other line separator.
 */
export async function* splitLines(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Line> {
  let number = 0;
  let parts: Buffer[] = [];
  const takeLine = (): Line => {
    const bytes = Buffer.concat(parts);
    parts = [];
    number += 1;
    return { number, bytes };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      parts.push(chunk.subarray(start, end));
      start = end + 1;
      const line = takeLine();
      if (!isBlank(line.bytes)) yield line;
    }
    parts.push(chunk.subarray(start));
  }
  const last = takeLine();
  if (!isBlank(last.bytes)) yield last;
}

/** Returns whether a line has only white space of JSON. */
function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
