import type { ListedUpload } from '@ballot-beacon/contract/office/uploads';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useState } from 'react';
import { Link } from 'wouter';
import { Failure } from '../../shell/failure.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { useSession } from '../../shell/session.tsx';
import { useWayOn } from '../../shell/way-on.ts';
import { formatInstant, t } from '../../words/index.ts';
import { sendOrResume, useSending } from './sender.ts';
import { formatPercent, formatSize } from './size.ts';

const refreshMs = 5_000;

/** Where files are dropped or chosen, and those that nobody has decided yet. */
export function Uploads() {
  const { act } = useSession();
  const queries = useQueryClient();
  const begin = useWayOn();
  const [problem, setProblem] = useState('');
  const [isOver, setOver] = useState(false);
  const uploads = useQuery({
    queryKey: ['uploads'],
    queryFn: () => act('listUploads', {}),
    refetchInterval: ({ state }) => (state.data?.uploads.length ? refreshMs : false),
  });
  const send = async (files: readonly File[]) => {
    setProblem('');
    const goOn = begin();
    const undecided = uploads.data?.uploads ?? [];
    const problems: string[] = [];
    let last: number | undefined;
    for (const file of files) {
      try {
        last = await sendOrResume(act, file, undecided);
      } catch (error) {
        problems.push(`${file.name}: ${(error as Error).message}`);
      }
    }
    setProblem(problems.join('\n'));
    await queries.invalidateQueries({ queryKey: ['uploads'] });
    if (files.length === 1 && last !== undefined) goOn(`/files/uploads/${last}`);
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <section className="panel card" aria-labelledby="upload">
      <h2 id="upload">{t('upload.title')}</h2>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the field inside is for the keyboard */}
      <div
        className="drop"
        data-over={isOver ? '' : undefined}
        onDragOver={over}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void send([...event.dataTransfer.files]);
        }}
      >
        <label className="field-label" htmlFor="files">
          {t('upload.choose')}
        </label>
        <input
          id="files"
          type="file"
          multiple
          aria-describedby="files-hint"
          onChange={(event) => {
            void send([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
        <p className="field-hint" id="files-hint">
          {t('upload.hint')}
        </p>
      </div>
      <Failure text={problem} />
      <Loaded query={uploads}>
        {({ uploads: shown }) =>
          shown.length === 0 ? (
            <p className="soft">{t('upload.none')}</p>
          ) : (
            <ul className="todo" aria-label={t('upload.undecided')}>
              {shown.map((upload) => (
                <Undecided key={upload.upload_id} upload={upload} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

function Undecided({ upload }: { upload: ListedUpload }) {
  const { session } = useSession();
  const sending = useSending(upload.upload_id);
  const bytes = sending?.sentBytes || upload.received_bytes;
  return (
    <li>
      <Link href={`/files/uploads/${upload.upload_id}`}>{upload.file_name}</Link>{' '}
      <span className="badge">{t(`upload.state.${upload.state}`)}</span>{' '}
      <span className="soft">
        {upload.state === 'receiving'
          ? t('upload.part', { percent: formatPercent(bytes, upload.size) })
          : formatSize(upload.size)}
        , {upload.uploaded_by}, {formatInstant(upload.created_at, session)}
      </span>
      {upload.state === 'receiving' && <Failure text={sending?.problem} />}
    </li>
  );
}
