/** Keeps what a run has found in the scratch folder, so that a stopped run goes on where it was. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Measurement } from './measurement.ts';

interface Saved {
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
    const saved = JSON.parse(readFileSync(path, 'utf8')) as Saved;
    this.#stages.push(...saved.stages);
    this.prefixes = saved.prefixes;
    for (const piece of saved.pieces) measurement.pieces.add(piece);
    for (const [codePoint, price] of saved.floors) measurement.pieces.setFloor(codePoint, price);
  }

  /** Runs a stage unless an earlier run has finished it, then saves. */
  stage(name: string, run: () => void): void {
    if (this.#stages.includes(name)) return;
    const started = performance.now();
    run();
    this.#stages.push(name);
    const { pieces, native, unexplained } = this.#measurement;
    const saved: Saved = {
      stages: this.#stages,
      pieces: [...pieces.values()],
      floors: [...pieces.floors],
      prefixes: this.prefixes,
    };
    writeFileSync(`${this.#path}.new`, JSON.stringify(saved));
    renameSync(`${this.#path}.new`, this.#path);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(
      `${name}: ${pieces.size} pieces, ${seconds} s, ${native.calls()} calls so far, ` +
        `${unexplained.size} texts unexplained`,
    );
  }
}
