import { SiteDocumentPage } from './site-document.tsx';

/** Renders `/terms`. */
export default function TermsPage() {
  return <SiteDocumentPage name="terms" title="Terms" />;
}
