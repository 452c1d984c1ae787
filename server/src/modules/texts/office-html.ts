import sanitizeHtml from 'sanitize-html';

/** Text, lists, tables, links: what an office's FAQ or address block needs, and nothing that runs, loads or styles. */
export const officeHtmlOptions = {
  allowedTags: [
    ...[
      'h2',
      'h3',
      'h4',
      'p',
      'br',
      'hr',
      'blockquote',
      'address',
      'section',
      'details',
      'summary',
    ],
    ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'caption', 'thead', 'tbody', 'tr', 'th', 'td'],
    ...['a', 'strong', 'em', 'b', 'i', 'u', 'small', 'abbr', 'bdi', 'span', 'time'],
  ],
  allowedAttributes: {
    a: ['href', 'rel', 'target'],
    abbr: ['title'],
    th: ['scope', 'colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
    ol: ['start'],
    time: ['datetime'],
    '*': ['lang', 'dir'],
  },
  allowedSchemes: ['https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard' as const,
  transformTags: {
    h1: 'h2',
    a: (tagName: string, { href = '', lang, dir }: sanitizeHtml.Attributes) => ({
      tagName,
      attribs: {
        href,
        ...(lang && { lang }),
        ...(dir && { dir }),
        // Other sites open in a new tab and learn nothing about our page.
        ...(/^https:/i.test(href) && { target: '_blank', rel: 'noopener noreferrer' }),
      },
    }),
  },
} satisfies sanitizeHtml.IOptions & {
  allowedAttributes: Record<string, string[]>;
};

/** An office's HTML without unsafe parts. Applied when it is stored and when it is served. */
export function sanitizeOfficeHtml(html: string): string {
  return sanitizeHtml(html, officeHtmlOptions).trim();
}

/** Keys that end in .html are HTML; all other texts are plain, and the page escapes them. */
export function isHtmlKey(key: string): boolean {
  return key.endsWith('.html');
}
