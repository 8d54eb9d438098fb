import type { FastifyRequest } from 'fastify';

/** Whether the request belongs to the demo tour, during which the watchlist is an empty one and nothing is written. */
export const isDemoTour = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean => headers['x-demo-tour'] === '1';
