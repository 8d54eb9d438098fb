import type { HttpApp } from '../../platform/http/app-type.ts';
import type { Feature } from '../../feature.ts';
import { addSecurityRoute, type SecurityRouteDependencies } from './routes.ts';

/** Creates the feature of securities: one security with its position, price, chart, figures, news and description. */
export const createSecurities = ({
  now = () => new Date(),
  ...deps
}: Omit<SecurityRouteDependencies, 'now'> & Partial<Pick<SecurityRouteDependencies, 'now'>>) =>
  ({
    name: 'securities',
    register: (app: HttpApp): void => addSecurityRoute(app, { ...deps, now }),
  }) satisfies Feature;
