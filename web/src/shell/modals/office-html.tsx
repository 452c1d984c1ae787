/** HTML that an office wrote: sanitized by the server when it was stored and again when it was sent. */
export function OfficeHtml({ html }: { html: string }) {
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized against an allow-list, and the page's policy runs no inline script
    <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
  );
}
