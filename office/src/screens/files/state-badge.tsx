import type { FileState } from '@ballot-beacon/contract/office/files';
import { t } from '../../words/index.ts';

const looks: Readonly<Partial<Record<FileState, string>>> = {
  'file-held': 'badge-caution',
  'messages-held': 'badge-caution',
  refused: 'badge-bad',
  released: 'badge-good',
  done: 'badge-good',
};

export function StateBadge({ state }: { state: FileState }) {
  return <span className={`badge ${looks[state] ?? ''}`}>{t(`file.state.${state}`)}</span>;
}
