import { languageNames } from '@ballot-beacon/contract/languages';
import { states } from './states.tsx';

/** The list of states beside the chosen one, as on a phone and on a desktop. What is chosen is in the address. */

const form = document.querySelector('form') as HTMLFormElement;
const language = form.elements.namedItem('language') as HTMLSelectElement;
const theme = form.elements.namedItem('theme') as HTMLSelectElement;
const list = document.getElementById('states') as HTMLElement;

language.append(...languageNames.map((name) => new Option(name)));
const groups = Object.groupBy(Object.keys(states), (name) => name.split('/')[0] ?? '');
for (const [group, names = []] of Object.entries(groups)) {
  const heading = document.createElement('h2');
  heading.textContent = group;
  list.append(heading, ...names.map(linkTo));
}

function linkTo(name: string): HTMLAnchorElement {
  const link = document.createElement('a');
  link.href = `#${encodeURIComponent(name)}`;
  link.textContent = name.split('/')[1] ?? name;
  return link;
}

function show(): void {
  const name = decodeURIComponent(location.hash.slice(1)) || Object.keys(states)[0] || '';
  const state = states[name];
  if (!state) return;
  const search = new URLSearchParams({
    ...state.search,
    state: name,
    language: language.value,
    theme: theme.value,
  });
  for (const frame of document.querySelectorAll('iframe')) {
    frame.src = `/voter${state.path}?${search}`;
    // What the page asks the browser about the theme follows the frame.
    frame.style.colorScheme = theme.value;
  }
  for (const link of list.querySelectorAll('a')) {
    if (link.hash === `#${encodeURIComponent(name)}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

language.value = 'english';
form.addEventListener('change', show);
addEventListener('hashchange', show);
show();
