/**
 * Compares the counter with the native package that its vocabulary was measured from, string by string. `npx node
 * packages/token-counter/research/compare-native.ts [--native <folder of the platform package>] [edges] [ends]
 * [characters] [random]` (default: all four parts). The package is not a dependency. `npm --prefix bench ci` installs
 * it. Use `compare-documents.ts` for whole documents. Exits with 1 if the older version of the package does not explain
 * a difference.
 */
import { countContent, type TextFamily } from '../src/tokenizer/index.ts';
import { edgeStrings } from '../test/edge-strings.ts';
import { loneSurrogates } from './compare-native/explain.ts';
import { encodings, loadNativePackage } from './compare-native/native-package.ts';

const families = Object.keys(encodings) as TextFamily[];

/**
 * Units that newer recorded counts classify differently, units with pieces that the package lacks, and unpaired
 * surrogates.
 */
const newerThanPackage =
  /[\u3004\u3012\u3013\u3020\u3036\u3037\u303e\u303f\u3031-\u3035\u303b\u303c\u03f4\ufffd\uff0d\u2400-\u243f]/;

const args = process.argv.slice(2);
const native = loadNativePackage(args);

let failureCount = 0;

function compare(title: string, texts: Iterable<string>, selectedFamilies: readonly TextFamily[]): void {
  const started = Date.now();
  let compared = 0;
  let explained = 0;
  const misses: string[] = [];
  for (const text of texts) {
    for (const family of selectedFamilies) {
      compared++;
      const ourCount = countContent(text, family);
      const nativeCount = native(text, family);
      if (ourCount === nativeCount) continue;
      if (newerThanPackage.test(text) || loneSurrogates.test(text)) explained++;
      else misses.push(`${family} ${JSON.stringify(text)}: ours ${ourCount}, package ${nativeCount}`);
    }
  }
  failureCount += misses.length;
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(
    `${title}: ${compared} compared, ${misses.length} different, ${explained} explained by the package's ` +
      `older state (${seconds} s)`,
  );
  for (const miss of misses.slice(0, 25)) console.log(`  ${miss}`);
}

function* trailingLineFeeds(): Generator<string> {
  for (const head of ['', 'a', ' ', '1', '\u6587']) for (let n = 0; n < 200; n++) yield head + '\n'.repeat(n);
}

function* charactersInContext(): Generator<string> {
  const contexts = [
    'X',
    'aX',
    'Xa',
    'aXa',
    ' X',
    'X ',
    'a X',
    'X a',
    'a X b',
    'XX',
    'XXXX',
    '1X',
    'X1',
    '!X',
    'X!',
    ' X!',
    "X's",
    "'X",
    'XbC',
    'BX',
    'BXCD',
    'Xbcd',
    '\u6587X\u6587',
    'X\ufe0f',
    'X\u0301',
    'X\n',
    '\nX',
    'X\u200d',
    '  X  ',
  ];
  for (let codePoint = 0; codePoint <= 0x3ffff; codePoint++) {
    if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
    const character = String.fromCodePoint(codePoint);
    const usedContexts = codePoint < 0x10000 ? contexts : contexts.slice(0, 9);
    if (codePoint > 0x1ffff && codePoint % 97 !== 0) continue;
    for (const context of usedContexts) yield context.replaceAll('X', character);
  }
}

/** Yields random strings from a seed, so that a difference is reproducible. */
function* randomStrings(count: number): Generator<string> {
  let state = 0x2545f491;
  const random = (below: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
  const alphabet = [
    ...'abtsmdlrveSTAZ',
    ' ',
    ' ',
    ' ',
    '\n',
    '\t',
    '\r',
    '0',
    '7',
    "'",
    '"',
    '!',
    '.',
    ',',
    '-',
    '(',
    '\u2019',
    '\u201c',
    '\u00b2',
    '\u00bd',
    '\u0967',
    '\u0be7',
    '\u2460',
    '\u0663',
    '\u6587',
    '\u3002',
    '\uff0c',
    '\u304b',
    '\u30ab',
    '\ud55c',
    '\u0e33',
    '\u0e4d',
    '\u0e32',
    '\u0e48',
    '\u094d',
    '\u0915',
    '\u0301',
    '\u0308',
    '\ufe0f',
    '\u200d',
    '\u{1f600}',
    '\u{1f468}',
    '\u00a0',
    '\u3000',
    '\u0130',
    '\u1e9e',
    '\u03a3',
    '\u01c5',
    '\u2133',
    '\u2167',
    '\u24b6',
    '\u00df',
    '\u00e9',
    '\u00c9',
    '\ue000',
    '\u0001',
    '\u0000',
    '\u1100',
    '\u1161',
    '\u11a8',
    '\u0430',
    '\u0416',
    've',
    'll',
    're',
    'The',
    'NASA',
    '://',
    '\\n',
  ];
  for (let k = 0; k < count; k++) {
    let text = '';
    for (let length = 1 + random(10); length > 0; length--) text += alphabet[random(alphabet.length)] ?? '';
    yield text;
  }
}

const parts = args.length === 0 ? ['edges', 'ends', 'characters', 'random'] : args;
if (parts.includes('edges')) compare('edge strings up to 4', edgeStrings(4), families);
if (parts.includes('ends')) compare('0-199 trailing line feeds', trailingLineFeeds(), families);
if (parts.includes('characters')) compare('characters in contexts', charactersInContext(), ['v3', 'v4.7']);
if (parts.includes('random')) compare('random strings', randomStrings(1_500_000), families);
process.exit(failureCount === 0 ? 0 : 1);
