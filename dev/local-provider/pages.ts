import type { LocalPerson } from './people.ts';

/** The pages of the local provider, plain on purpose: nobody shall take it for a real one. */
export function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:30rem;margin:3rem auto;padding:0 1rem}button{font:inherit;padding:.6rem 1rem;margin:.3rem 0;width:100%;text-align:left}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>This is the local provider for trying out. All people here are invented, and none has a password.</p>
${content}
</main>
</body>
</html>`;
}

export function peoplePage(people: readonly LocalPerson[]): string {
  const button = (person: LocalPerson, what: string, fields = '') =>
    `<form method="post">${fields}<button name="person" value="${escapeHtml(person.id)}">${escapeHtml(`${person.name} (${what})`)}</button></form>`;
  const buttons = people.map((one) => button(one, one.groups.join(', ') || 'no group'));
  const more = people.flatMap((one) => [
    button(one, 'taken out of every group', '<input type="hidden" name="groups" value="none">'),
    button(one, 'signed in an hour ago', '<input type="hidden" name="ago" value="3600">'),
  ]);
  return page('Who are you?', [...buttons, '<h2>To try more</h2>', ...more].join('\n'));
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
