/**
 * Measures the vocabularies of the token counter by counting texts with the npm package @oh-my-pi/pi-natives. See
 * packages/token-counter/research/measure-vocabulary/README.md for usage and requirements.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureCodePoints } from './measure-vocabulary/code-points.ts';
import { collectTexts } from './measure-vocabulary/collect-texts.ts';
import type { Vocabulary } from './measure-vocabulary/marked-stream.ts';
import { Measurement } from './measure-vocabulary/measurement.ts';
import { installedVersion, loadNativeCounter } from './measure-vocabulary/native-counter.ts';
import { measureJoins, measurePieceParts, listInvalidPieces } from './measure-vocabulary/refinement.ts';
import { measureShortStrings } from './measure-vocabulary/short-strings.ts';
import { measureTexts } from './measure-vocabulary/text-stages.ts';
import { writeData } from './measure-vocabulary/write-data.ts';

const USAGE = `usage: npx node packages/token-counter/research/measure-vocabulary.ts --natives <folder> --scratch <folder> [--texts <path>]…
         [--vocabulary v3|v4.7] [--out <folder>]
  --natives     where the package is installed: npm install --prefix <folder> @oh-my-pi/pi-natives-<platform>@18.2.11
  --scratch     keeps the candidates
  --texts       file or folder of candidate texts, may be repeated; read once, then kept in the scratch folder`;

const { values: options } = parseArgs({
  options: {
    natives: { type: 'string' },
    scratch: { type: 'string' },
    texts: { type: 'string', multiple: true, default: [] },
    vocabulary: { type: 'string' },
    out: { type: 'string', default: join(import.meta.dirname, '../data') },
  },
});

/** Runs a stage and prints its result. */
function runStage<Result>(name: string, { pieces, native, unexplainedTexts }: Measurement, run: () => Result): Result {
  const started = performance.now();
  const result = run();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `${name}: ${pieces.size} pieces, ${seconds} s, ${native.getCallCount()} calls so far, ` +
      `${unexplainedTexts.size} texts unexplained`,
  );
  return result;
}

function measureVocabulary(vocabulary: Vocabulary, installation: string, scratch: string, out: string): void {
  const native = loadNativeCounter(installation, vocabulary);
  const measurement = new Measurement(vocabulary, native);
  const words = join(scratch, 'words.txt');
  const runs = join(scratch, 'runs.txt');
  const started = performance.now();

  const prefixes = runStage('code points', measurement, () => measureCodePoints(measurement));
  runStage('short strings', measurement, () => measureShortStrings(measurement));
  runStage('texts', measurement, () => measureTexts(measurement, [runs, words]));
  runStage('parts of pieces', measurement, () => measurePieceParts(measurement));
  runStage('joins', measurement, () => measureJoins(measurement, 3));
  runStage('parts of joins', measurement, () => measurePieceParts(measurement));

  const invalidPieces = listInvalidPieces(measurement);
  if (invalidPieces.length > 0)
    throw new Error(`${invalidPieces.length} pieces do not cost one: ${JSON.stringify(invalidPieces.slice(0, 20))}`);
  const provenance = {
    vocabulary,
    source: installedVersion(installation),
    date: new Date().toISOString().slice(0, 10),
  };
  const path = writeData(out, provenance, [...measurement.pieces.values()], prefixes);
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    `${vocabulary}: ${measurement.pieces.size} pieces, ${prefixes.length} byte prefixes, ` +
      `${native.getCallCount()} calls, ${seconds} s → ${path}`,
  );
  for (const text of [...measurement.unexplainedTexts].slice(0, 20))
    console.log(`unexplained: ${JSON.stringify(text)}`);
}

const { natives: nativesFolder, scratch, texts, vocabulary, out } = options;
const vocabularies = (['v4.7', 'v3'] as const).filter((name) => vocabulary === undefined || vocabulary === name);
if (nativesFolder === undefined || scratch === undefined || vocabularies.length === 0) {
  console.error(USAGE);
  process.exit(2);
}
mkdirSync(scratch, { recursive: true });
if (!existsSync(join(scratch, 'words.txt'))) collectTexts(texts, scratch);
if (statSync(join(scratch, 'words.txt')).size < 2) throw new Error('no candidate texts: name some with --texts');
for (const name of vocabularies) measureVocabulary(name, nativesFolder, scratch, out);
