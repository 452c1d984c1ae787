import type { UploadAnswer } from '@ballot-beacon/contract/office/uploads';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { Button } from '../../../../web/src/ui/button.tsx';
import { Failure } from '../../shell/failure.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { useRefresh } from '../../shell/refresh.ts';
import { useSession } from '../../shell/session.tsx';
import { useWayOn } from '../../shell/way-on.ts';
import { t } from '../../words/index.ts';
import { Preview } from './preview.tsx';
import { ReadingForm } from './reading-form.tsx';
import { resume, useSending } from './sender.ts';
import { formatPercent, formatSize } from './size.ts';

const followMs = 1_500;
const isUnderWay = (upload: UploadAnswer | undefined) =>
  upload?.state === 'checking' || upload?.state === 'importing' || upload?.state === 'receiving';

/** One uploaded file until it is decided: how far it has come, what it would do, and the decision. */
export function UploadScreen({ uploadId }: { uploadId: number }) {
  const { act } = useSession();
  const [, go] = useLocation();
  const params = { upload_id: uploadId };
  const upload = useQuery({
    queryKey: ['upload', uploadId],
    queryFn: () => act('getUpload', { params }),
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? followMs : false),
  });
  const importId = upload.data?.import_id ?? null;
  useEffect(() => {
    if (importId !== null) go(`/files/${importId}`, { replace: true });
  }, [importId, go]);
  return (
    <>
      <p>
        <Link href="/files">← {t('files.title')}</Link>
      </p>
      <Loaded query={upload}>
        {(data) => (
          <>
            <h1>{data.file_name}</h1>
            <p className="help">
              <span className="badge">{t(`upload.state.${data.state}`)}</span>{' '}
              {t(`upload.explain.${data.state}`)}
            </p>
            <Failure text={data.problem} />
            {data.state === 'receiving' && <Receiving upload={data} />}
            {(data.state === 'checking' || data.state === 'importing') && (
              <Progress part={data.progress_bytes ?? 0} whole={data.size} />
            )}
            {data.state === 'ready' && (
              <>
                {data.preview && <Preview preview={data.preview} />}
                <Decision upload={data} />
                <ReadingForm key={data.check} upload={data} />
              </>
            )}
            {data.state !== 'importing' && data.state !== 'imported' && <Delete upload={data} />}
          </>
        )}
      </Loaded>
    </>
  );
}

function Progress({ part, whole }: { part: number; whole: number }) {
  const percent = formatPercent(part, whole);
  return (
    <p className="upload-progress">
      <progress value={Math.min(part, whole)} max={whole} aria-label={t('upload.progress')} />{' '}
      {percent}
    </p>
  );
}

function Receiving({ upload }: { upload: UploadAnswer }) {
  const { act } = useSession();
  const sending = useSending(upload.upload_id);
  const isSending = sending?.state === 'sending' || sending?.state === 'waiting';
  return (
    <section className="panel card" aria-labelledby="receiving">
      <h2 id="receiving">{t('upload.receiving', { size: formatSize(upload.size) })}</h2>
      <Progress part={isSending ? sending.sentBytes : upload.received_bytes} whole={upload.size} />
      {sending?.state === 'waiting' && <p role="status">{t('upload.waiting')}</p>}
      <Failure text={sending?.problem} />
      {isSending && <p className="soft">{t('upload.stay')}</p>}
      {!isSending && upload.is_own && (
        <>
          <label className="field-label" htmlFor="again">
            {t('upload.again')}
          </label>
          <input
            id="again"
            type="file"
            onChange={(event) => {
              const [file] = event.target.files ?? [];
              event.target.value = '';
              if (file) void resume(act, file, upload);
            }}
          />
        </>
      )}
    </section>
  );
}

function Decision({ upload }: { upload: UploadAnswer }) {
  const { act } = useSession();
  const { preview, check } = upload;
  const params = { upload_id: upload.upload_id };
  const decision = useMutation({
    mutationFn: (because: string | undefined) =>
      act('importUpload', { params, body: { check, ask_because: because } }),
    onSettled: useRefresh('upload', upload.upload_id),
  });
  if (!preview || preview.outcome === 'refused') return null;
  if (!upload.is_own)
    return <p className="notice">{t('upload.notOwn', { name: upload.uploaded_by })}</p>;
  const waits = preview.outcome === 'waits';
  const decide = (because?: string) => {
    if (!decision.isPending) decision.mutate(because);
  };
  return (
    <section className="panel panel-wide card decision" aria-labelledby="decision">
      <h2 id="decision">{t('decision.title')}</h2>
      <Failure error={decision.error} />
      <p className="buttons">
        <Button look="primary" busy={decision.isPending} onClick={() => decide()}>
          {t(waits ? 'upload.importAndAsk' : 'upload.import')}
        </Button>
      </p>
      {!waits && (
        <details>
          <summary>{t('upload.ask.title')}</summary>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              decide(String(new FormData(event.currentTarget).get('because') ?? ''));
            }}
          >
            <div className="field">
              <label className="field-label" htmlFor="because">
                {t('upload.ask')}
              </label>
              <textarea
                className="field-input"
                id="because"
                name="because"
                rows={2}
                required
                minLength={3}
                maxLength={1000}
              />
            </div>
            <Button type="submit" busy={decision.isPending}>
              {t('upload.ask.button')}
            </Button>
          </form>
        </details>
      )}
    </section>
  );
}

function Delete({ upload }: { upload: UploadAnswer }) {
  const { act } = useSession();
  const queries = useQueryClient();
  const removal = useMutation({
    mutationFn: () => act('deleteUpload', { params: { upload_id: upload.upload_id } }),
    onMutate: useWayOn(),
    onSuccess: async (_answer, _upload, goOn) => {
      await queries.invalidateQueries({ queryKey: ['uploads'] });
      goOn('/files');
    },
  });
  return (
    <>
      <Failure error={removal.error} />
      <p className="buttons">
        <Button
          look="quiet"
          busy={removal.isPending}
          onClick={() => {
            if (!removal.isPending && confirm(t('upload.delete.sure'))) removal.mutate();
          }}
        >
          {t('upload.delete')}
        </Button>
      </p>
    </>
  );
}
