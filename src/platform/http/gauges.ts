import { Gauge, type Registry } from 'prom-client';

/**
 * Adds a gauge for each figure. `read` reads all figures from the database on each scrape. Across processes the highest
 * value counts, not the sum. If the read fails, the gauges are omitted and `onFailure` receives the error.
 */
export function addGauges<Figure extends string>(
  registry: Registry,
  definitions: Readonly<Record<Figure, { name: string; help: string }>>,
  read: () => Promise<Record<Figure, number>>,
  onFailure: (err: unknown) => void,
): void {
  for (const gaugeName of Object.keys(definitions) as Figure[])
    new Gauge({
      ...definitions[gaugeName],
      aggregator: 'max',
      registers: [registry],
      async collect() {
        try {
          this.set((await read())[gaugeName]);
        } catch (err) {
          this.remove();
          onFailure(err);
        }
      },
    });
}
