import { Link } from '../../../ui/shell/navigation/link.tsx';

/** Renders `/developers`: the links to the playground, the API reference and the API keys. */
export default function DevelopersPage() {
  return (
    <div className="mx-auto grid max-w-settings gap-5">
      <div>
        <h1 className="text-title font-semibold tracking-tight">Developers</h1>
        <p className="mt-1 max-w-prose text-ink-soft">
          Count the input tokens of a message request before you send it. The official client libraries work once their
          base URL and key are changed.
        </p>
      </div>
      <ul className="grid gap-4 sm:grid-cols-3">
        <li className="card p-5">
          <Link href="/developers/playground" className="link font-semibold">
            Playground
          </Link>
          <p className="mt-1 text-small text-ink-soft">Paste or build a request and count it in your browser.</p>
        </li>
        <li className="card p-5">
          {/* The reference is a document of the server, not a page of the app. */}
          <a href="/docs" className="link font-semibold">
            API reference
          </a>
          <p className="mt-1 text-small text-ink-soft">Every route with its fields, answers and errors.</p>
        </li>
        <li className="card p-5">
          <Link href="/settings/api-keys" className="link font-semibold">
            API keys
          </Link>
          <p className="mt-1 text-small text-ink-soft">
            Create and revoke the keys of your programs. Needs an account.
          </p>
        </li>
      </ul>
    </div>
  );
}
