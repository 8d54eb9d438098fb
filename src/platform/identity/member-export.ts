import { AppError } from '../../errors.ts';
import type { Feature } from '../../feature.ts';
import type { ServiceSql } from '../database/roles.ts';
import type { HttpApp } from '../http/app-type.ts';
import { createRateLimiter } from '../http/rate-limit.ts';
import type { SharedRateLimits } from '../http/redis-rate-limiter.ts';
import { route } from '../http/route.ts';
import { routes } from './contract.ts';
import { exportMember } from './export-member.ts';
import type { Guards } from './guards.ts';

interface MemberExportDependencies {
  sql: ServiceSql;
  guards: Guards;
  /** The owners of members' rows. */
  owners: readonly Pick<Feature, 'memberRows'>[];
  createLimiter?: SharedRateLimits['createLimiter'] | undefined;
}

/** Files of one member in an hour. A file reads every table. */
const FILES_PER_HOUR = 10;

/** Creates the feature with which members download their data. */
export function createMemberExport({ sql, guards, owners, ...deps }: MemberExportDependencies) {
  const { createLimiter = createRateLimiter } = deps;
  const limiter = createLimiter({ name: 'member-export', limit: FILES_PER_HOUR, windowMs: 3_600_000 });
  return {
    name: 'member-export',
    register(app: HttpApp): void {
      // Visitors share the demo account and the sample user, whose rows tell about other visitors.
      // The file outlives the session.
      const guard = guards.editor({ rejects: ['shared-account'], recent: true });
      route(app, routes.exportMember, { guard }, async (request, reply) => {
        const { idpId } = guards.getMember(request);
        await guards.requireActiveSession(request);
        const result = await limiter.consume(idpId);
        if (!result.ok) throw new AppError('RATE_LIMITED', { retryAfter: result.retryAfter });
        const { parts } = await exportMember(sql, idpId, owners);
        const day = new Date().toISOString().slice(0, 10);
        return reply
          .header('cache-control', 'private, no-store')
          .header('content-disposition', `attachment; filename="tally-${day}.json"`)
          .type('application/json')
          .code(200)
          .send(parts.join(''));
      });
    },
  } satisfies Feature;
}
