/** Finds the hand-maintained corrections that make a text cheaper, by counting the text with each correction. */
import { corrections, prefixCorrections } from '../../data/corrections.ts';
import { frameByFamily } from '../../src/tokenizer/families.ts';
import { createChunkCounter } from '../../src/tokenizer/chunk-counter.ts';
import { type VocabularyAdditions, loadVocabulary, type VocabularyName } from '../../src/tokenizer/vocabulary.ts';

/** Unpaired surrogates, which the package cannot represent. */
export const loneSurrogates = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Units that the counter classifies differently from the package, because of newer recorded counts. */
const reclassifiedCharacters = /[\u3004\u3012\u3013\u3020\u3036\u3037\u303e\u303f\u3031-\u3035\u303b\u303c\u03f4]/;

/** Creates a counter with a selection of the corrections. */
function createCounterWith(family: VocabularyName, additions: VocabularyAdditions): (text: string) => number {
  const counter = createChunkCounter(loadVocabulary(family, additions));
  return (text) => counter.countBoundary(text, frameByFamily[family], { first: true, last: true });
}

/** Creates a counter with the measured vocabulary, without corrections. */
export function createMeasuredCounter(family: VocabularyName): (text: string) => number {
  return createCounterWith(family, { pieces: [], prefixes: [] });
}

/**
 * Explains a difference of `tokens` in a text. Returns names with the savings of each, or undefined if they do not add
 * up to the difference.
 */
export function createExplainer(family: VocabularyName): (text: string, tokens: number) => string | undefined {
  const countMeasured = createMeasuredCounter(family);
  const singleCorrections = [
    ...corrections.map((correction) => ({
      family: correction.family,
      name: correction.piece,
      additions: { pieces: [correction], prefixes: [] },
    })),
    ...prefixCorrections.map((correction) => ({
      family: correction.family,
      name: correction.prefix,
      additions: { pieces: [], prefixes: [correction] },
    })),
  ]
    .filter((correction) => correction.family === family)
    .map(({ name, additions }) => ({ name, count: createCounterWith(family, additions) }));
  return (text, tokens) => {
    const measuredTokens = countMeasured(text);
    const applicable = singleCorrections
      .map(({ name, count }) => ({ name, tokens: measuredTokens - count(text) }))
      .filter((correction) => correction.tokens > 0);
    const sum = applicable.reduce((total, correction) => total + correction.tokens, 0);
    // Two corrections may save one token, but they cannot explain more than their sum.
    if (applicable.length === 0 || sum < tokens) {
      const isReclassified = reclassifiedCharacters.test(text) || loneSurrogates.test(text);
      return isReclassified ? 'characters that newer recorded counts class otherwise' : undefined;
    }
    return applicable.map((correction) => `${JSON.stringify(correction.name)} ${correction.tokens}`).join(', ');
  };
}
