/**
 * Reads probes of single pieces that were recorded on the real service, and writes the pieces that they imply: `npx
 * node packages/token-counter/research/measure-vocabulary/recorded-probes.ts <folder of recorded counts>`. A probe is
 * one user message. If it is recorded lower than our count, a part of its marked stream is a piece that the measured
 * package lacks. A piece is accepted only if it fully explains its probe and no correct text or request becomes too
 * low. Pieces of an earlier run stay while their probes are counted correctly. Finally the script prints the result of
 * every candidate.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { countInputTokens, resolveModel } from '../../src/index.ts';
import { selectCleanRecords, readRecords } from '../accuracy/records.ts';
import { readRecordedTexts } from '../accuracy/recorded-texts.ts';
import { listTexts } from '../accuracy/request-texts.ts';
import { countContent } from '../../src/tokenizer/index.ts';
import { MAX_KEY_LENGTH } from '../../src/tokenizer/token-count-cache.ts';
import { loadPieces } from './load-pieces.ts';
import { isSplitPoint, markStream, normalize, type Vocabulary } from './marked-stream.ts';

const FAMILIES = { older: 'v3', newer: 'v4.7' } as const;
const OVERHEADS = { v3: 7, 'v4.7': 11 } as const;
const MARKERS: readonly [string, string][] = [
  ['⟨bow⟩', '\u0002'],
  ['⟨eow⟩', '\u0003'],
  ['⟨shift⟩', '\u0004'],
  ['⟨caps⟩', '\u0005'],
];

const data = join(import.meta.dirname, '../../data');
const WITNESSES_PATH = join(data, 'recorded-pieces.witnesses.json');

interface Candidate {
  family: keyof typeof FAMILIES;
  piece: string;
  witness: { probe: string; raw: number; kind: string };
}

interface Accepted {
  piece: string;
  probe: string;
  recorded: number;
  before: number;
}

/** Splits the marked stream of a text into parts that no piece crosses. */
function splitText(text: string, vocabulary: Vocabulary): string[] {
  const stream = markStream(normalize(text, vocabulary), vocabulary);
  const chunks: string[] = [];
  let chunk = '';
  for (let index = 0; index < stream.length; index++) {
    if (chunk !== '' && isSplitPoint(stream, index)) {
      chunks.push(chunk);
      chunk = '';
    }
    chunk += String.fromCharCode(stream[index] ?? 0);
  }
  if (chunk !== '') chunks.push(chunk);
  return chunks;
}

/** Returns the parts of recorded texts and requests that are counted exactly, each once. */
function collectExactChunks(folder: string, vocabulary: Vocabulary): Set<string> {
  const parts = new Set<string>();
  const add = (text: string): void => {
    for (const chunk of splitText(text, vocabulary)) parts.add(chunk);
  };
  for (const { family, text, recorded, counted } of readRecordedTexts(join(folder, 'texts')))
    if ((family === 'v3') === (vocabulary === 'v3') && counted === recorded) add(text);
  for (const set of ['calibration.jsonl.gz', 'calibration-2.jsonl.gz']) {
    for (const { request, record } of selectCleanRecords(readRecords(join(folder, set)))) {
      if ((resolveModel(request.model)?.text === 'v3') !== (vocabulary === 'v3')) continue;
      if (countInputTokens(request) === record.true_input_tokens) listTexts(request).forEach(add);
    }
  }
  return parts;
}

/** Returns the most tokens that a part would save at one place of a piece. */
function computeSavedTokens(vocabulary: Vocabulary, chunk: string, piece: string): number {
  const pieces = piecesByVocabulary[vocabulary];
  const units = Uint16Array.from({ length: chunk.length }, (_, index) => chunk.charCodeAt(index));
  let best = 0;
  for (let at = chunk.indexOf(piece); at >= 0; at = chunk.indexOf(piece, at + 1)) {
    const withPiece = pieces.countTokens(units, 0, at) + 1 + pieces.countTokens(units, at + piece.length);
    best = Math.max(best, pieces.countTokens(units) - withPiece);
  }
  return best;
}

const piecesByVocabulary = { v3: loadPieces('v3'), 'v4.7': loadPieces('v4.7') };

interface Outcome {
  accepted: Accepted[];
  /**
   * Candidates whose probe is counted correctly by pieces measured or accepted before, refuted candidates, and those
   * that are too long.
   */
  exactProbes: number;
  refuted: number;
  tooLong: number;
}

function acceptCandidates(folder: string, vocabulary: Vocabulary, candidates: readonly Candidate[]): Outcome {
  const outcome: Outcome = { accepted: [], exactProbes: 0, refuted: 0, tooLong: 0 };
  const { accepted } = outcome;
  const earlierByPiece = new Map(
    (JSON.parse(readFileSync(WITNESSES_PATH, 'utf8')) as Record<Vocabulary, Accepted[]>)[vocabulary].map((entry) => [
      entry.piece,
      entry,
    ]),
  );
  const exactChunks = [...collectExactChunks(folder, vocabulary)];
  for (const { piece: written, witness } of candidates) {
    const piece = MARKERS.reduce((text, [name, unit]) => text.replaceAll(name, unit), written);
    const before = countContent(witness.probe, vocabulary) + OVERHEADS[vocabulary];
    const excess = before - witness.raw;
    const entered = earlierByPiece.get(piece);
    if (entered !== undefined && excess === 0) accepted.push(entered);
    if (excess === 0) {
      outcome.exactProbes++;
      continue;
    }
    if (piece.length > MAX_KEY_LENGTH && piece.trim() !== '') {
      outcome.tooLong++;
      console.log(`  not taken: a row of ${piece.length} ${piece[0]}, longer than what the counter prices as one`);
      continue;
    }
    // At the start of a message the frame opens the run, and so does a preceding word.
    const streams = [witness.probe, `q ${witness.probe.trimStart()}`].map((text) => splitText(text, vocabulary));
    const explainedTokens = Math.max(
      ...streams.map((parts) => parts.reduce((sum, chunk) => sum + computeSavedTokens(vocabulary, chunk, piece), 0)),
    );
    const contraryChunks = exactChunks.filter(
      (chunk) => chunk.includes(piece) && computeSavedTokens(vocabulary, chunk, piece) > 0,
    );
    if (excess > 0 && explainedTokens === excess && contraryChunks.length === 0) {
      accepted.push({ piece, probe: witness.probe, recorded: witness.raw, before });
    } else {
      outcome.refuted++;
      console.log(
        `  not taken ${JSON.stringify(written)}: explains ${explainedTokens} of ${excess}, ${contraryChunks.length} against`,
      );
    }
  }
  accepted.sort((a, b) => (a.piece < b.piece ? -1 : 1));
  return outcome;
}

const folder = process.argv[2];
if (folder === undefined)
  throw new Error(
    'usage: npx node packages/token-counter/research/measure-vocabulary/recorded-probes.ts <folder of recorded token counts>',
  );
const candidates = JSON.parse(
  gunzipSync(readFileSync(join(folder, 'measured/candidate-pieces.json.gz'))).toString(),
) as Candidate[];
const acceptedByVocabulary = { v3: [] as Accepted[], 'v4.7': [] as Accepted[] };
for (const [name, vocabulary] of Object.entries(FAMILIES)) {
  const ownCandidates = candidates.filter(({ family }) => family === name);
  const { accepted, exactProbes, refuted, tooLong } = acceptCandidates(folder, vocabulary, ownCandidates);
  acceptedByVocabulary[vocabulary] = accepted;
  console.log(
    `${vocabulary}: ${ownCandidates.length} candidates: ${exactProbes} probes counted right, ${accepted.length} of them by pieces ` +
      `that recorded probes brought; ${refuted} refuted, ${tooLong} too long`,
  );
}
// Escape all except printable ASCII, so that the file survives every editor.
const formatLiteral = (pieces: readonly Accepted[]): string =>
  JSON.stringify(pieces.map(({ piece }) => piece).join('\u0001'))
    .replaceAll("'", "\\'")
    .replaceAll('\\"', '"');
const formatPieces = (pieces: readonly Accepted[]): string => `'${formatLiteral(pieces).slice(1, -1)}'`;
writeFileSync(
  join(data, 'recorded-pieces.js'),
  '// Generated by `npx node packages/token-counter/research/measure-vocabulary/recorded-probes.ts`. Pieces that recorded probes of the real service force\n' +
    '// beside the measured ones, divided by U+0001; recorded-pieces.witnesses.json names the probe of each.\n' +
    `export const recordedV3 = ${formatPieces(acceptedByVocabulary.v3)};\nexport const recordedV47 = ${formatPieces(acceptedByVocabulary['v4.7'])};\n`,
);
writeFileSync(WITNESSES_PATH, `${JSON.stringify(acceptedByVocabulary, undefined, 1)}\n`);
