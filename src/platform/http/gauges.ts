import { Gauge, type Registry } from 'prom-client';

/**
 * Adds a gauge for each figure, which `read` tells from the database on each scrape: of several processes the highest
 * counts, not the sum. Where it fails they are left out of the answer, and
 * `onFailure` gets the error.
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
