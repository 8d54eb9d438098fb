/** Stores the results of a run in the scratch folder, so that a stopped run can resume. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Measurement } from './measurement.ts';

interface SavedProgress {
  stages: string[];
  pieces: string[];
  floors: [number, number][];
  prefixes: string[];
}

export class Checkpoint {
  readonly #path: string;
  readonly #measurement: Measurement;
  readonly #stages: string[] = [];
  prefixes: string[] = [];

  constructor(path: string, measurement: Measurement) {
    this.#path = path;
    this.#measurement = measurement;
    if (!existsSync(path)) return;
    const saved = JSON.parse(readFileSync(path, 'utf8')) as SavedProgress;
    this.#stages.push(...saved.stages);
    this.prefixes = saved.prefixes;
    for (const piece of saved.pieces) measurement.pieces.add(piece);
    for (const [codePoint, tokens] of saved.floors) measurement.pieces.setByteCost(codePoint, tokens);
  }

  /** Runs a stage unless an earlier run has finished it, then saves. */
  runStage(name: string, run: () => void): void {
    if (this.#stages.includes(name)) return;
    const started = performance.now();
    run();
    this.#stages.push(name);
    const { pieces, native, unexplainedTexts } = this.#measurement;
    const saved: SavedProgress = {
      stages: this.#stages,
      pieces: [...pieces.values()],
      floors: [...pieces.byteCosts],
      prefixes: this.prefixes,
    };
    writeFileSync(`${this.#path}.new`, JSON.stringify(saved));
    renameSync(`${this.#path}.new`, this.#path);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(
      `${name}: ${pieces.size} pieces, ${seconds} s, ${native.getCallCount()} calls so far, ` +
        `${unexplainedTexts.size} texts unexplained`,
    );
  }
}
