/**
 * Calls the service at the first argument with the types of openapi-typescript. The next arguments are an API key and a
 * token.
 */
import createClient from 'openapi-fetch';
import type { paths } from './.tmp/paths.ts';

const [baseUrl = '', key = '', token = ''] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl });
const counted = await api.POST('/v1/messages/count_tokens', {
  headers: { 'x-api-key': key, 'svc-version': '2023-06-01' },
  body: { model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: 'Hello, world' }] },
});
const headers = { authorization: `Bearer ${token}` };
const plans = await api.GET('/api/plans', { headers });
const watchlist = await api.GET('/api/watchlist', { headers });
const rejected = await api.POST('/api/watchlist', { headers, body: { symbol: 'NO-SUCH-SYMBOL' } });
const tokens: number | undefined = counted.data?.input_tokens;
const current: 'free' | 'pro' | 'max' | null | undefined = plans.data?.current;
const watched: number | undefined = watchlist.data?.items.filter((item) => !item.locked && item.price !== null).length;
console.log(JSON.stringify({ tokens, current, watched, refusal: rejected.error?.code }));
