interface TextChunk {
  text: string;
  isTicker: boolean;
}

/** Splits a text at whole words that are one of the symbols. */
export function splitTickers(text: string, symbols: readonly string[]): TextChunk[] {
  if (symbols.length === 0) return [{ text, isTicker: false }];
  // A longer symbol comes first, so that BRK.B is not found as BRK.
  const alternatives = symbols
    .toSorted((a, b) => b.length - a.length)
    .map((symbol) => symbol.replaceAll(/\W/g, String.raw`\$&`));
  const ticker = new RegExp(String.raw`(?<![\w.&-])(${alternatives.join('|')})(?![\w&-]|\.\w)`);
  return text
    .split(ticker)
    .map((chunk, index) => ({ text: chunk, isTicker: index % 2 === 1 }))
    .filter((chunk) => chunk.text !== '');
}
