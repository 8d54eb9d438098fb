import { Gauge, type Registry } from 'prom-client';

/**
 * Adds a gauge for each figure. `read` reads all figures from the database, once for each scrape. Across processes the
 * highest value counts, not the sum. If the read fails, the gauges are omitted and `onFailure` receives the error.
 */
export function addGauges<Figure extends string>(
  registry: Registry,
  definitions: Readonly<Record<Figure, { name: string; help: string }>>,
  read: () => Promise<Record<Figure, number>>,
  onFailure: (err: unknown) => void,
): void {
  let pending: Promise<Record<Figure, number> | undefined> | undefined;
  const readFigures = async () => {
    try {
      return await read();
    } catch (err) {
      onFailure(err);
      return undefined;
    } finally {
      pending = undefined;
    }
  };
  for (const gaugeName of Object.keys(definitions) as Figure[])
    new Gauge({
      ...definitions[gaugeName],
      aggregator: 'max',
      registers: [registry],
      async collect() {
        // All gauges of a scrape are collected together, so they share a read.
        pending ??= readFigures();
        const figures = await pending;
        if (figures) this.set(figures[gaugeName]);
        else this.remove();
      },
    });
}
