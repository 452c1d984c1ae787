import sanitizeHtml from 'sanitize-html';
import { officeHtmlOptions } from './office-html.ts';

/** Tags whose content is dropped with them. */
const withContent = new Set(['script', 'style', 'textarea', 'option', 'noscript']);
/** What a browser or an editor adds to every page, and whose loss nobody sees. */
const unseen = new Set(['html', 'head', 'body', 'meta', 'link']);

/**
 * What {@link sanitizeOfficeHtml} drops, in words for the person who wrote the page:
 * `<script> with its content`, `<img> (2 times)`, `onclick of <p>`, `the link javascript:x()`.
 */
export function listDroppedHtml(html: string): string[] {
  const tags = new Map<string, number>();
  const details = new Set<string>();
  sanitizeHtml(html, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    transformTags: {
      '*': (tagName, attribs) => {
        if (!isKept(tagName)) {
          if (!unseen.has(tagName)) tags.set(tagName, (tags.get(tagName) ?? 0) + 1);
          return { tagName, attribs };
        }
        for (const [name, value] of Object.entries(attribs)) {
          // Links open as we choose.
          if (tagName === 'a' && (name === 'target' || name === 'rel')) continue;
          if (!isKeptAttribute(tagName, name)) details.add(`${name} of <${tagName}>`);
          else if (name === 'href' && sanitizeLink(value) === '' && value.trim() !== '')
            details.add(`the link ${value}`);
        }
        return { tagName, attribs };
      },
    },
  });
  return [
    ...[...tags].map(([tag, count]) => {
      const times = count === 1 ? '' : ` (${count} times)`;
      return `<${tag}>${withContent.has(tag) ? ' with its content' : ''}${times}`;
    }),
    ...details,
  ];
}

function isKept(tag: string): boolean {
  return tag === 'h1' || officeHtmlOptions.allowedTags.includes(tag);
}

function isKeptAttribute(tag: string, name: string): boolean {
  const { allowedAttributes }: { allowedAttributes: Record<string, string[]> } = officeHtmlOptions;
  return [...(allowedAttributes[tag] ?? []), ...(allowedAttributes['*'] ?? [])].includes(name);
}

/** The address as it is stored; '' when it is dropped. */
function sanitizeLink(href: string): string {
  const escaped = href.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const stored = sanitizeHtml(`<a href="${escaped}">x</a>`, officeHtmlOptions);
  return /href="([^"]*)"/.exec(stored)?.[1] ?? '';
}
