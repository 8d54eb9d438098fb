/**
 * Calls the service at the first argument with the client of @hey-api/openapi-ts. The next arguments are an API key and
 * a token.
 */
import { createClient } from './.tmp/hey/client/index.ts';
import { addToWatchlist, countTokens, listPlans, listWatchlist } from './.tmp/hey/sdk.gen.ts';

const [baseUrl = '', key = '', token = ''] = process.argv.slice(2);
const client = createClient({ baseUrl });
const counted = await countTokens({
  client,
  auth: key,
  headers: { 'svc-version': '2023-06-01' },
  body: { model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: 'Hello, world' }] },
});
const signedIn = { client, auth: token };
const plans = await listPlans(signedIn);
const watchlist = await listWatchlist(signedIn);
const rejected = await addToWatchlist({ ...signedIn, body: { symbol: 'NO-SUCH-SYMBOL' } });
const tokens: number | undefined = counted.data?.input_tokens;
const current: 'free' | 'pro' | 'max' | null | undefined = plans.data?.current;
const watched: number | undefined = watchlist.data?.items.filter((item) => !item.locked && item.price !== null).length;
console.log(JSON.stringify({ tokens, current, watched, refusal: rejected.error?.code }));
