import { formatInteger } from '../../../ui/kit/formats.ts';
import { useLocation } from '../../../ui/shell/navigation/location.ts';
import { getButtonClass } from '../../../ui/kit/button.tsx';
import { Link } from '../../../ui/shell/navigation/link.tsx';
import { TallyMarks } from '../../../ui/shell/brand/tally-marks.tsx';
import { exampleCount, exampleRequest } from './example-request.ts';
import countDark from './pictures/count-dark.webp';
import countLight from './pictures/count-light.webp';
import watchDark from './pictures/watch-dark.webp';
import watchLight from './pictures/watch-light.webp';
import { Product } from './product.tsx';

/** Renders `/` for visitors: the two products, their audiences, and the links to sign up and sign in. */
export default function LandingPage() {
  const { search } = useLocation();
  return (
    <>
      <div className="max-w-settings pt-4 pb-9 sm:pt-8">
        <h1 className="text-display font-semibold tracking-display">
          Count tokens before you send. Follow your tickers.
        </h1>
        <p className="mt-5 max-w-prose text-lead text-ink-soft">
          Two tools with one account: a token counter for developers, and a watchlist and dashboard for people who
          follow markets.
        </p>
        <div className="mt-7 flex flex-wrap gap-3">
          <Link href={`/sign-up${search}`} className={getButtonClass('primary', 'min-h-11 px-5')}>
            Create account
          </Link>
          <Link href={`/sign-in${search}`} className={getButtonClass('plain', 'min-h-11 px-5')}>
            Sign in
          </Link>
        </div>
      </div>
      <div className="grid gap-10 lg:grid-cols-2 lg:gap-12">
        <Product
          id="watch"
          audience="For people who follow markets"
          title="Your watchlist next to your portfolio"
          light={watchLight}
          dark={watchDark}
          alt="A watchlist with symbol, name, one-month chart, price and day change of seven tickers"
        >
          Stocks, ETFs, funds and bonds with charts, upcoming earnings and news; net worth, holdings and connected
          accounts on the same page.
        </Product>
        <Product
          id="count"
          audience="For developers"
          title="Count a request before you send it"
          light={countLight}
          dark={countDark}
          alt="The playground with a system prompt, a message, and their input token count"
          link={{ href: '/developers/playground', text: 'Open the playground' }}
        >
          Tally counts the input tokens of a message request through one endpoint, on its own server, including every
          tool definition. Try it in the browser, then call it with your key.
        </Product>
      </div>
      <div className="mt-10 grid gap-8 border-t border-line pt-8 lg:grid-cols-2 lg:gap-12">
        <dl className="grid content-start gap-5">
          <Benefit title="Use your existing request">
            System prompt, turns, tools, images, PDFs and thinking settings are accepted unchanged. The official client
            libraries work once their base URL and key are changed.
          </Benefit>
          <Benefit title="Counting only">
            Nothing is created, generated or cached. The response is one number: the input tokens that the request would
            use.
          </Benefit>
          <Benefit title="Separate limits">
            Counting is free to use, from 100 to 8,000 requests a minute by usage tier, separate from the limits for
            creating messages.
          </Benefit>
        </dl>
        <ExampleCount />
      </div>
    </>
  );
}

const Benefit = ({ title, children }: { title: string; children: string }) => (
  <div>
    <dt className="font-semibold">{title}</dt>
    <dd className="mt-1 text-ink-soft">{children}</dd>
  </div>
);

/** Shows the example request with its token count. A browser test sends this request and compares the count. */
function ExampleCount() {
  return (
    <figure className="card overflow-hidden shadow-raised" aria-labelledby="example-caption">
      <figcaption
        id="example-caption"
        className="flex flex-wrap justify-between gap-x-4 border-b border-line px-5 py-3 text-small text-ink-soft"
      >
        <code className="font-mono">POST /v1/messages/count_tokens</code>
      </figcaption>
      {/* The block scrolls on narrow screens. Keyboard users must therefore be able to reach the block. */}
      <pre
        tabIndex={0}
        aria-label="The request"
        className="overflow-x-auto px-5 py-4 font-mono text-small leading-relaxed text-ink-soft"
      >
        {JSON.stringify(exampleRequest, null, 2)}
      </pre>
      <div
        className={
          'flex flex-wrap items-end justify-between gap-x-6 gap-y-3 border-t border-line bg-sunken ' + 'px-5 py-4'
        }
      >
        <p>
          <span className="block text-small text-ink-faint">input_tokens</span>
          <output className="block text-figure font-semibold tracking-tight">{formatInteger(exampleCount)}</output>
        </p>
        <span className="pb-1 text-ink-soft">
          <TallyMarks count={exampleCount} />
        </span>
      </div>
    </figure>
  );
}
