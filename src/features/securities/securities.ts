import type { HttpApp } from '../../platform/http/app-type.ts';
import type { Slice } from '../../slice.ts';
import { addSecurityRoute, type SecurityRouteDependencies } from './routes.ts';

/** Creates the slice of securities: one security with its position, price, chart, figures, news and description. */
export const createSecurities = ({
  now = () => new Date(),
  ...deps
}: Omit<SecurityRouteDependencies, 'now'> & Partial<Pick<SecurityRouteDependencies, 'now'>>) =>
  ({
    name: 'securities',
    register: (app: HttpApp): void => addSecurityRoute(app, { ...deps, now }),
  }) satisfies Slice;
