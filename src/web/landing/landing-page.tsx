import { usePlace } from '../lib/location.ts';
import { buttonClass } from '../ui/button.tsx';
import { Link } from '../ui/link.tsx';
import { ExampleCount } from './example-count.tsx';
import countDark from './pictures/count-dark.webp';
import countLight from './pictures/count-light.webp';
import watchDark from './pictures/watch-dark.webp';
import watchLight from './pictures/watch-light.webp';
import { Product } from './product.tsx';

const facts = [
  {
    title: 'The request you already have',
    text:
      'System prompt, turns, tools, images, PDFs and thinking settings go in as they are. The official ' +
      'client libraries work once their base URL and key are changed.',
  },
  {
    title: 'Counting only',
    text:
      'Nothing is created, generated or cached. The answer is one number: the input tokens that the ' +
      'request would use.',
  },
  {
    title: 'Limits of its own',
    text:
      'Counting is free to use, from 100 to 8,000 requests a minute by usage tier, and never counts ' +
      'against the creation of messages.',
  },
];

/** `/` for visitors: the two products, for whom each is, and the way in. */
export default function LandingPage() {
  const { search } = usePlace();
  return (
    <>
      <div className="max-w-settings pt-4 pb-9 sm:pt-8">
        <h1 className="text-display font-semibold tracking-display">
          Know what a request weighs, and what your tickers did.
        </h1>
        <p className="mt-5 max-w-prose text-lead text-ink-soft">
          Two tools with one account: a counter of tokens for developers, and a watchlist and dashboard for people who
          follow markets.
        </p>
        <div className="mt-7 flex flex-wrap gap-3">
          <Link href={`/sign-up${search}`} className={buttonClass('primary', 'min-h-11 px-5')}>
            Create account
          </Link>
          <Link href={`/sign-in${search}`} className={buttonClass('plain', 'min-h-11 px-5')}>
            Sign in
          </Link>
        </div>
      </div>
      <div className="grid gap-10 lg:grid-cols-2 lg:gap-12">
        <Product
          id="watch"
          audience="For people who follow markets"
          title="Follow what you do not own, beside what you do"
          text={
            'Stocks, ETFs, funds and bonds with their month, their next report and the news; net worth, holdings and ' +
            'connected accounts on the same page.'
          }
          light={watchLight}
          dark={watchDark}
          alt="A watchlist: symbol and name, the line of the month, the price and the day’s move of seven tickers"
        />
        <Product
          id="count"
          audience="For developers"
          title="Count a request before you send it"
          text={
            'Tally counts the input tokens of a message request through one endpoint, on its own server, down to the ' +
            'last tool definition. Try it in the browser, then call it with your key.'
          }
          light={countLight}
          dark={countDark}
          alt="The playground: a system prompt and a message as they are typed, and beside them their input tokens"
        />
      </div>
      <div className="mt-10 grid gap-8 border-t border-line pt-8 lg:grid-cols-2 lg:gap-12">
        <dl className="grid content-start gap-5">
          {facts.map(({ title, text }) => (
            <div key={title}>
              <dt className="font-semibold">{title}</dt>
              <dd className="mt-1 text-ink-soft">{text}</dd>
            </div>
          ))}
        </dl>
        <ExampleCount />
      </div>
    </>
  );
}
