import type { FastifyRequest } from 'fastify';
import type { HttpApp } from '../http/app-type.ts';
import type { EventProperties } from './contract.ts';
import { captureRequest } from './contract.ts';

export interface AnalyticsRouteDependencies {
  requireMember: (request: FastifyRequest) => Promise<{ idpId: string }>;
  capture: (idpId: string, event: string, properties: EventProperties) => void;
}

/** `POST /api/analytics/events`: takes what the web app captured; 202, since nothing is promised about when it is written. */
export function addAnalyticsRoutes(app: HttpApp, { requireMember, capture }: AnalyticsRouteDependencies): void {
  app.post('/api/analytics/events', { bodyLimit: 64 * 1024, schema: { tags: ['Analytics'], body: captureRequest } }, async (request, reply) => {
    const member = await requireMember(request);
    for (const { event, properties } of request.body.events) capture(member.idpId, event, properties);
    return reply.code(202).send();
  });
}
