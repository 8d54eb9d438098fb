import type { FastifyRequest } from 'fastify';

/**
 * Returns whether the request belongs to the demo tour. During the tour the watchlist is empty and nothing is written.
 */
export const isDemoTour = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean => headers['x-demo-tour'] === '1';
