import { type Piece, pieces, type TextState } from '@ballot-beacon/contract/office/words';
import { t } from '../../words/index.ts';

export function isPiece(text: string): text is Piece {
  return (pieces as readonly string[]).includes(text);
}

/** A piece in a clerk's words, and a single text by its key. */
export function nameOfText(text: string): string {
  return isPiece(text) ? t(`text.${text}`) : text.slice(text.indexOf(':') + 1);
}

export function helpOfText(text: string): string {
  if (isPiece(text)) return t(`text.${text}.help`);
  return t(text.startsWith('messages:') ? 'text.message.help' : 'text.key.help', { text });
}

export function hrefOfText(text: string, language: string): string {
  return `/texts/${text}/${language}`;
}

const looks: Record<TextState, string> = {
  product: '',
  own: 'badge-good',
  reviewed: 'badge-good',
  outdated: 'badge-caution',
  missing: 'badge-caution',
};

export function StateBadge({ state }: { readonly state: TextState }) {
  return <span className={`badge ${looks[state]}`}>{t(`text.state.${state}`)}</span>;
}
