import { setTimeout as sleep } from 'node:timers/promises';
import type { Area } from './areas.ts';

export interface Sent {
  requests: number;
  perSecond: number;
  /** Median and 99th percentile of an answer, in ms. */
  p50: number;
  p99: number;
  /** `area status code`, with the seconds after the beginning at which it came. */
  errors: Map<string, number[]>;
  byArea: Map<string, number>;
}

/** Enough to meet the peak; a constant rate takes more, so that slow answers do not lower it. */
const CLIENTS = 24;

/**
 * Sends the areas' requests, mixed by weight, for `ms`: as fast as the answers come, or together `perSecond` at a
 * constant rate. A client that is late does not make up for it.
 */
export async function sendPaced(areas: readonly Area[], ms: number, perSecond = Infinity): Promise<Sent> {
  const deck = areas.flatMap((area) => Array.from({ length: area.weight }, () => area));
  const times: number[] = [];
  const [errors, byArea] = [new Map<string, number[]>(), new Map<string, number>()];
  const clients = perSecond === Infinity ? CLIENTS : 3 * CLIENTS;
  const pause = (clients / perSecond) * 1_000;
  const begun = performance.now();
  const end = begun + ms;
  let next = 0;
  const client = async (n: number): Promise<void> => {
    await sleep((n / clients) * pause);
    for (let due = performance.now(); due < end; due = Math.max(due + pause, performance.now())) {
      await sleep(Math.max(0, due - performance.now()));
      // A stride that shares no factor with the deck's length mixes the areas.
      const round = next++;
      const area = deck[(round * 61) % deck.length]!;
      const from = performance.now();
      const turn = byArea.get(area.name) ?? 0;
      byArea.set(area.name, turn + 1);
      const { status, code } = await area.ask(turn);
      times.push(performance.now() - from);
      if ((area.right as readonly unknown[]).includes(status)) continue;
      const what = `${area.name} ${status} ${code ?? ''}`.trim();
      errors.set(what, [...(errors.get(what) ?? []), Math.round((performance.now() - begun) / 100) / 10]);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, n) => client(n)));
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return {
    ...{ errors, byArea, requests: times.length, p50: at(0.5), p99: at(0.99) },
    perSecond: (times.length / (performance.now() - begun)) * 1_000,
  };
}
