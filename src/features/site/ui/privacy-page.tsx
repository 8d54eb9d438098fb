import { SiteDocumentPage } from './site-document.tsx';

/** Renders `/privacy`. */
export default function PrivacyPage() {
  return <SiteDocumentPage name="privacy" title="Privacy" />;
}
