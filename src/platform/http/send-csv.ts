import type { FastifyReply } from 'fastify';

/** Sends a CSV file of a member's own data, which no cache keeps. `name` precedes the date in the name of the file. */
export const sendCsv = (reply: FastifyReply, { name, day, csv }: { name: string; day: string; csv: string }) =>
  reply
    .header('cache-control', 'private, no-store')
    .header('content-disposition', `attachment; filename="${name}-${day}.csv"`)
    .type('text/csv; charset=utf-8')
    .code(200)
    .send(csv);
