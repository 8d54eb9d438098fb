import { Gauge, type Registry } from 'prom-client';

/**
 * Adds a gauge for each figure, which `read` tells on each scrape. Where it fails they are left out of the answer, and
 * `onFailure` gets the error.
 */
export function addGauges<Figure extends string>(
  registry: Registry,
  figures: Readonly<Record<Figure, { name: string; help: string }>>,
  read: () => Promise<Record<Figure, number>>,
  onFailure: (err: unknown) => void,
): void {
  for (const figure of Object.keys(figures) as Figure[])
    new Gauge({
      ...figures[figure],
      registers: [registry],
      async collect() {
        try {
          this.set((await read())[figure]);
        } catch (err) {
          this.remove();
          onFailure(err);
        }
      },
    });
}
